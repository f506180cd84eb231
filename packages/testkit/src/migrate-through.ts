import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { withOracleDatabase } from './oracles/oracle-database.ts';

const folder = fileURLToPath(new URL('../../database/migrations/', import.meta.url));

/** Applies the migrations up to `last` to an empty database and records them as the migrator does. */
export async function migrateThrough(ownerUrl: string, last: string): Promise<void> {
  const names = readdirSync(folder)
    .toSorted()
    .map((file) => file.replace(/\.sql$/, ''));
  if (!names.includes(last)) throw new Error(`there is no migration ${last}`);
  await withOracleDatabase(ownerUrl, async (client) => {
    await client.query(`create schema migration;
      create table migration.applied (id serial primary key, name varchar(255) not null, run_on timestamp not null)`);
    for (const name of names.slice(0, names.indexOf(last) + 1)) {
      await client.query(readFileSync(`${folder}${name}.sql`, 'utf8'));
      await client.query('insert into migration.applied (name, run_on) values ($1, now())', [name]);
    }
  });
}
