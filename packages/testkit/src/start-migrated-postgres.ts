import { startEmbeddedPostgres, type EmbeddedPostgres } from '@tollgate/database/embedded/start-embedded-postgres';
import { migrate } from '@tollgate/database/migrate';
import type { Logger } from '@tollgate/runtime/logging/create-logger';

/** Starts a PostgreSQL with all migrations, for tests that need no durability. */
export async function startMigratedPostgres(dataDir: string, log: Logger): Promise<EmbeddedPostgres> {
  const started = await startEmbeddedPostgres({ dataDir, log, isDurable: false });
  try {
    await migrate({ ownerUrl: started.ownerUrl, rolePasswords: started.rolePassword, log });
    return started;
  } catch (error) {
    await started.stop();
    throw error;
  }
}
