import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { sqlState, sqlStateOf } from './pg-error.ts';

/** Flushes queue behind a change that waits for their table; this is shorter than their own limit of 2 s. */
const lockTimeoutMs = 500;
const attemptsMax = 60;
const pauseMs = 1_000;
const text = 'select usage.use_event_id_secret() as secret, usage.allow_key_archives() as archives';

/**
 * Does what has to wait until no process of an earlier version runs: event ids of keys get their secret, and keys may be
 * archived. Safe to repeat.
 * Resolves with whether anything was left to do.
 */
export async function finishUpgrade(ownerUrl: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString: ownerUrl,
    application_name: 'finish-upgrade',
    lock_timeout: lockTimeoutMs,
  });
  client.on('error', () => undefined); // if the connection is lost between two statements, the next statement fails
  await client.connect();
  try {
    return await finish(client);
  } finally {
    await client.end();
  }
}

async function finish(client: pg.Client): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { rows } = await client.query<{ secret: boolean; archives: boolean }>(text);
      return rows.some(({ secret, archives }) => secret || archives);
    } catch (error) {
      if (sqlStateOf(error) !== sqlState.lockNotAvailable || attempt === attemptsMax) throw error;
      await wait(pauseMs);
    }
  }
}
