import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStandalone } from '@tollgate/testkit/standalone-process';
import { DemoError } from './demo-error.ts';
import type { Progress } from './progress.ts';
import { clockStart, type ServiceAddress } from './run-demo.ts';

export interface ThrowAwayOptions {
  readonly progress: Progress;
  /** Its rejection ends the work. */
  readonly stopped: Promise<never>;
}

/** Runs `work` with a Tollgate in a process of its own, and removes its data folder however the work ends. */
export async function withThrowAwayService<Result>(
  { progress, stopped }: ThrowAwayOptions,
  work: (service: ServiceAddress) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-demo-'));
  await chmod(folder, 0o711); // root's PostgreSQL runs as another user, who must be able to enter
  const operatorToken = randomUUID();
  const env = { OPERATOR_TOKEN: operatorToken, SANDBOX_CLOCK_START: clockStart };
  const product = startStandalone({ dataDir: join(folder, 'data'), env });
  const ended = product.exited.then(() => Promise.reject(new DemoError(`Tollgate has ended: ${product.output()}`)));
  const worked = async () => {
    const { baseUrl } = await progress.one('Tollgate starts, on an empty database', () => product.ready());
    return work({ baseUrl, operatorToken });
  };
  try {
    return await Promise.race([stopped, ended, worked()]);
  } finally {
    await product.destroy();
    await rm(folder, { recursive: true, force: true });
  }
}
