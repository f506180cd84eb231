import { askTestServer } from '../jest/ask-test-server.ts';
import type { TestServer } from '../servers/test-server.ts';
import type { ContainerPlan, ContainerRequest, ImageAnswer, RunAnswer } from './container-request.ts';

/**
 * Returns the host on which a container of this image has its ports. Docker may pull the image first. Throws the reason
 * if no container can run: outside of a test run (`pnpm stack`, a benchmark) nothing would remove it.
 */
export async function findDockerHost(image: string): Promise<string> {
  const answer = await askTestServer<ImageAnswer>('containers.sock', { ask: 'image', image });
  if ('error' in answer) throw new Error(answer.error.split('\n', 1)[0]); // without the stack below
  return answer.host;
}

/** Starts a container, which the test run removes at its end. Resolves when it is ready. */
export async function startContainer(plan: ContainerPlan): Promise<TestServer> {
  const { id } = await ask<RunAnswer>({ ask: 'run', plan });
  const send = async (what: 'kill' | 'start' | 'pause' | 'unpause' | 'remove') => void (await ask({ ask: what, id }));
  return {
    kill: () => send('kill'),
    start: () => send('start'),
    freeze: () => send('pause'),
    thaw: () => send('unpause'),
    destroy: () => send('remove'),
  };
}

async function ask<Answer extends object>(request: ContainerRequest): Promise<Answer> {
  const answer = await askTestServer<Answer>('containers.sock', request);
  if ('error' in answer) throw new Error(answer.error);
  return answer;
}
