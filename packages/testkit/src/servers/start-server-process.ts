import type { ChildService } from '../child-service.ts';
import type { TestServer } from './test-server.ts';

export interface ServerProcess extends TestServer {
  /** SIGTERM: the server shuts down properly. `start` starts it again. */
  stop(): Promise<void>;
}

/** Runs a server as a process. `begin` starts it, now and at each `start`, and resolves when it is ready. */
export async function startServerProcess(begin: () => Promise<ChildService>): Promise<ServerProcess> {
  let child = await begin();
  return {
    kill: () => child.destroy(),
    async stop() {
      child.signal('SIGTERM');
      await child.exited;
      await child.destroy();
    },
    async start() {
      child = await begin();
    },
    freeze: () => child.freeze(),
    thaw: async () => child.signalGroup('SIGCONT'),
    destroy: () => child.destroy(),
  };
}
