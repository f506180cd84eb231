import { askTestServer } from '../jest/ask-test-server.ts';
import type { TestServer } from '../servers/test-server.ts';
import type { ContainerPlan, ContainerRequest, ImageAnswer, RunAnswer } from './container-request.ts';

/**
 * Where the ports of a container of this image will be; a pull may have to end first. Throws why there can be none: as
 * outside of a test run (`pnpm stack`, a benchmark), where nobody would remove it.
 */
export async function findDockerHost(image: string): Promise<string> {
  const answer = await askTestServer<ImageAnswer>('containers.sock', { ask: 'image', image });
  if ('error' in answer) throw new Error(answer.error.split('\n', 1)[0]); // without the stack below
  return answer.host;
}

/** A container of this test run, which removes it at its end. Resolves when it is ready. */
export async function startContainer(plan: ContainerPlan): Promise<TestServer> {
  const { id } = await ask<RunAnswer>({ ask: 'run', plan });
  const tell = async (what: 'kill' | 'start' | 'pause' | 'unpause' | 'remove') => void (await ask({ ask: what, id }));
  return {
    kill: () => tell('kill'),
    start: () => tell('start'),
    freeze: () => tell('pause'),
    thaw: () => tell('unpause'),
    destroy: () => tell('remove'),
  };
}

async function ask<Answer extends object>(request: ContainerRequest): Promise<Answer> {
  const answer = await askTestServer<Answer>('containers.sock', request);
  if ('error' in answer) throw new Error(answer.error);
  return answer;
}
