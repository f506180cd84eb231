import { findRunningPostgres } from '@tollgate/runtime/embedded-postgres/find-running-postgres';
import pg from 'pg';

import { eventually } from '../eventually.ts';

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

const uncounted = `select p.topic, p.partition from event_log.partition p
  left join usage.cursor c using (topic, partition) where c.next_offset is distinct from p.next_offset`;

/** Waits until every record of the log is counted. Only after that can sums be compared. */
export async function waitUntilDrained(client: OracleDatabase, { withinMs }: { withinMs: number }): Promise<void> {
  await eventually(async () => (await client.query(uncounted)).rowCount === 0, { withinMs, everyMs: 100 });
}
