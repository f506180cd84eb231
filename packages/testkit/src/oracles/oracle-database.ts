import { findRunningPostgres } from '@tollgate/database/embedded/find-running-postgres';
import pg from 'pg';

export type OracleDatabase = pg.Client;

/** A connection of our own as the owner, whom no row-level policy binds. The caller ends it. */
export async function connectOracleDatabase(ownerUrl: string): Promise<OracleDatabase> {
  const client = new pg.Client({ connectionString: ownerUrl });
  client.on('error', () => undefined); // its server may be killed; the next query fails then
  await client.connect();
  return client;
}

/** Connects for the time of `work`. */
export async function withOracleDatabase<Result>(
  ownerUrl: string,
  work: (database: OracleDatabase) => Promise<Result>,
): Promise<Result> {
  const database = await connectOracleDatabase(ownerUrl);
  try {
    return await work(database);
  } finally {
    await database.end().catch(() => undefined); // its server may be gone
  }
}

/** The owner's address of the PostgreSQL that runs on a data folder. */
export function ownerUrlOf(dataDir: string): string {
  const urls = findRunningPostgres(dataDir);
  if (!urls) throw new Error(`no PostgreSQL is running on ${dataDir}`);
  return urls.ownerUrl;
}
