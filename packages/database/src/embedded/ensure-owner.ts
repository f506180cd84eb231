import { Client } from 'pg';

import { databaseName, ownerRole } from './connection-urls.ts';

/** The role that the migrator works as, and its database. Safe to repeat; a kill between the two is made good. */
export async function ensureOwner(superuserUrl: string, ownerPassword: string): Promise<void> {
  const url = new URL(superuserUrl);
  url.pathname = '/postgres'; // the one database that is there from the beginning
  const client = new Client({ connectionString: url.href });
  await client.connect();
  try {
    const { rowCount: roles } = await client.query('select from pg_roles where rolname = $1', [ownerRole]);
    // DDL takes no parameters. The password is base64url, made by us: there is nothing in it to escape.
    if (!roles) await client.query(`create role ${ownerRole} login createrole nosuperuser password '${ownerPassword}'`);
    const { rowCount: databases } = await client.query('select from pg_database where datname = $1', [databaseName]);
    if (!databases) await client.query(`create database ${databaseName} owner ${ownerRole}`);
  } finally {
    await client.end();
  }
}
