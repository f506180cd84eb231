import pg from 'pg';

/** Waits this long for readers and writers of the table, which wait behind it. */
const lockTimeoutMs = 1_000;

/** Decides how many partitions the table of keys has. Rejects once there are keys. Safe to repeat. */
export async function setKeyPartitions(ownerUrl: string, count: number): Promise<void> {
  const client = new pg.Client({
    connectionString: ownerUrl,
    application_name: 'migrate',
    lock_timeout: lockTimeoutMs,
  });
  client.on('error', () => undefined); // if the connection is lost between two statements, the next statement fails
  await client.connect();
  try {
    await client.query('select usage.set_key_partitions($1::int)', [count]);
  } finally {
    await client.end();
  }
}
