import { startEmbeddedPostgres, type EmbeddedPostgres } from '@tollgate/database/embedded/start-embedded-postgres';
import { migrate } from '@tollgate/database/migrate';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { findFreePorts } from '@tollgate/testkit/find-free-ports';
import { startKeeper } from '@tollgate/testkit/keeper';
import { signalPostgres } from '../postgres-processes.ts';

export interface KillablePostgres {
  readonly ownerUrl: string;
  readonly port: number;
  urlFor(role: string): string;
  /** Kills all its processes at once, as a power cut would. */
  kill(): Promise<void>;
  /** Starts it after `kill`, on the same port and data. Resolves when it takes connections. */
  start(): Promise<void>;
  /** SIGSTOP: connections stay open, and it answers nothing. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
}

/** A migrated PostgreSQL for one test, as durable as in production. */
export async function startKillablePostgres(dataDir: string, log: Logger): Promise<KillablePostgres> {
  const [port = 0] = await findFreePorts(1);
  let server: EmbeddedPostgres = await startEmbeddedPostgres({ dataDir, log, port });
  const keeper = startKeeper({ dataDir }); // in case this process is killed
  const { ownerUrl, urlFor, rolePassword } = server;
  await migrate({ ownerUrl, rolePasswords: rolePassword, log });

  return {
    ownerUrl,
    port,
    urlFor,
    async kill() {
      signalPostgres(dataDir, 'SIGKILL');
      await server.stop(); // its processes are gone; this releases its folder
    },
    async start() {
      server = await startEmbeddedPostgres({ dataDir, log, port });
    },
    freeze: () => signalPostgres(dataDir, 'SIGSTOP'),
    thaw: () => signalPostgres(dataDir, 'SIGCONT'),
    async stop() {
      await server.stop();
      await keeper.end();
    },
  };
}
