import { findRunningPostgres } from '@tollgate/database/embedded/find-running-postgres';
import pg from 'pg';

export type OracleDatabase = pg.Client;

/** A connection of our own to the PostgreSQL of a data folder, as the owner: no policy hides anything from it. */
export async function openOracleDatabase(dataDir: string): Promise<OracleDatabase> {
  const urls = findRunningPostgres(dataDir);
  if (!urls) throw new Error(`no PostgreSQL is running on ${dataDir}`);
  return connectOracleDatabase(urls.ownerUrl);
}

/** The same to any PostgreSQL. */
export async function connectOracleDatabase(ownerUrl: string): Promise<OracleDatabase> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  return client;
}
