import { startEmbeddedPostgres, type EmbeddedPostgres } from '@tollgate/database/embedded/start-embedded-postgres';
import { migrate } from '@tollgate/database/migrate';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { startKeeper } from '@tollgate/testkit/keeper';
import { makeBenchFolder } from './data-folder.ts';

/** A durable, migrated cluster of its own, as the product starts it; `stop` removes it. */
export async function startThrowAwayPostgres(): Promise<EmbeddedPostgres> {
  const folder = await makeBenchFolder();
  const log = createLogger({ name: 'bench', level: 'warn' });
  const postgres = await startEmbeddedPostgres({ dataDir: folder.path, log });
  const keeper = startKeeper({ dataDir: folder.path }); // the bench may be killed
  const stop = async (): Promise<void> => {
    await postgres.stop();
    await keeper.end();
    await folder.remove();
  };
  try {
    await migrate({ ownerUrl: postgres.ownerUrl, rolePasswords: postgres.rolePassword, log });
    return { ...postgres, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
