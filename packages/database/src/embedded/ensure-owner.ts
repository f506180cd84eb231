import { Client } from 'pg';

import { databaseName, ownerRole } from './connection-urls.ts';

/** Makes the migrator's role and its database. Safe to repeat, also after a kill between the two. */
export async function ensureOwner(superuserUrl: string, ownerPassword: string): Promise<void> {
  const url = new URL(superuserUrl);
  url.pathname = '/postgres'; // the only database of a new cluster
  const client = new Client({ connectionString: url.href });
  await client.connect();
  try {
    const { rowCount: roles } = await client.query('select from pg_roles where rolname = $1', [ownerRole]);
    // DDL takes no parameters. We made the password, in base64url: it has nothing to escape.
    if (!roles) await client.query(`create role ${ownerRole} login createrole nosuperuser password '${ownerPassword}'`);
    const { rowCount: databases } = await client.query('select from pg_database where datname = $1', [databaseName]);
    if (!databases) await client.query(`create database ${databaseName} owner ${ownerRole}`);
  } finally {
    await client.end();
  }
}
