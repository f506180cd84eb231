import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '@tollgate/database/embedded/start-embedded-postgres';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { migrate } from '@tollgate/database/migrate';

/** A durable, migrated cluster of its own, as the product starts it, gone afterwards. */
export async function withThrowAwayPostgres(work: (postgres: EmbeddedPostgres) => Promise<void>): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tollgate-bench-'));
  await chmod(dataDir, 0o755); // PostgreSQL runs as another user where this runs as root
  const log = createLogger({ name: 'bench', level: 'warn' });
  const postgres = await startEmbeddedPostgres({ dataDir, log });
  try {
    await migrate({ ownerUrl: postgres.ownerUrl, rolePasswords: postgres.rolePassword, log });
    await work(postgres);
  } finally {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
