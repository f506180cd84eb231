import { startChildService } from '@tollgate/testkit/child-service';
import type { MeasuredProcess } from '../row.ts';

export interface Echo {
  readonly url: string;
  readonly processes: readonly MeasuredProcess[];
  close(): Promise<void>;
}

/** A bare node:http echo in a process of its own. */
export async function startEcho(): Promise<Echo> {
  const main = new URL('echo-server.ts', import.meta.url).pathname;
  const echo = startChildService({ command: process.execPath, args: [main] });
  try {
    const [, url = ''] = await echo.line(/echo ready: (\S+)/, { withinMs: 10_000 });
    return { url, processes: [{ name: 'echo', pid: echo.pid }], close: echo.destroy };
  } catch (error) {
    await echo.destroy();
    throw error;
  }
}
