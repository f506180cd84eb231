import { randomBytes } from 'node:crypto';

import { migrate } from '@tollgate/database/migrate';
import { createLogger } from '@tollgate/runtime/logging/create-logger';

import { askTestServer } from './jest/ask-test-server.ts';
import type { TestCluster } from './jest/cluster-keeper.ts';
import { connectOracleDatabase, withOracleDatabase } from './oracles/oracle-database.ts';

export interface TestDatabase {
  readonly name: string;
  /** The role that migrates and owns everything; row-level policies do not bind it. */
  readonly ownerUrl: string;
  /** May switch off triggers and take on any role. */
  readonly superuserUrl: string;
  /** The address for a role, such as `auth_api` or `billing_worker`. */
  urlFor(role: string): string;
  /** Copies the database. `restore` brings the copy back. Both end all connections; a test must open none meanwhile. */
  backUp(): Promise<{ restore(): Promise<void> }>;
  drop(): Promise<void>;
}

/**
 * Creates a migrated database for one test file in this run's PostgreSQL: a clone of the template, in some 50 ms. Call it
 * in `beforeAll` and `drop` it in `afterAll`. The roles belong to the whole cluster: do not alter them.
 */
export async function testDatabase(): Promise<TestDatabase> {
  const cluster = await askKeeper();
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asSuperuser(cluster, `create database ${name} template tollgate ${byFiles} owner tollgate_owner`);
  return {
    name,
    ownerUrl: onDatabase(cluster.ownerUrl, name),
    superuserUrl: onDatabase(cluster.superuserUrl, name),
    urlFor(role) {
      const url = cluster.roleUrls[role];
      if (url === undefined)
        throw new Error(`there is no role ${role}; there are ${Object.keys(cluster.roleUrls).join(', ')}`);
      return onDatabase(url, name);
    },
    async backUp() {
      await copyDatabase(cluster, name, backupOf(name));
      return { restore: () => copyDatabase(cluster, backupOf(name), name) };
    },
    async drop() {
      for (const each of [name, backupOf(name)])
        await asSuperuser(cluster, `drop database if exists ${each} with (force)`);
    },
  };
}

/** Creates a migrated database whose locale sorts texts as people do, as an operator's database may. */
export async function testDatabaseOfLocale(icuLocale: string): Promise<TestDatabase> {
  const [database, cluster] = [await testDatabase(), await askKeeper()];
  await database.drop();
  await asSuperuser(
    cluster,
    `create database ${database.name} template template0 locale_provider icu icu_locale '${icuLocale}' owner tollgate_owner`,
  );
  const log = createLogger({ name: 'test-database', level: 'silent' });
  const rolePasswords = (role: string): string => decodeURIComponent(new URL(database.urlFor(role)).password);
  await migrate({ ownerUrl: database.ownerUrl, rolePasswords, log }); // with the passwords that the cluster's roles have
  return database;
}

/** Creates an empty database, for tests of the migrator. */
export async function emptyTestDatabase(): Promise<TestDatabase> {
  const database = await testDatabase();
  await database.drop();
  await asSuperuser(await askKeeper(), `create database ${database.name} template template0 owner tollgate_owner`);
  return database;
}

export interface Turn {
  end(): Promise<void>;
}

/** Resolves when no other worker of this run has the turn. The turn also ends with its worker. */
export async function takeTurn(): Promise<Turn> {
  const cluster = await askKeeper();
  const client = await connectOracleDatabase(onDatabase(cluster.superuserUrl, 'postgres'));
  await client.query('select pg_advisory_lock($1)', [turnLock]);
  return client;
}

const turnLock = 1;
const byFiles = 'strategy file_copy'; // in half of the time that a copy through the log takes
const backupOf = (name: string): string => `${name}_backup`;

/** Copies a database over another one. */
async function copyDatabase(cluster: TestCluster, from: string, to: string): Promise<void> {
  await asSuperuser(cluster, `drop database if exists ${to} with (force)`);
  await asSuperuser(cluster, `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${from}'`);
  await asSuperuser(cluster, `create database ${to} template ${from} ${byFiles} owner tollgate_owner`);
}

let known: Promise<TestCluster> | undefined;

function askKeeper(): Promise<TestCluster> {
  known ??= ask();
  return known;
}

async function ask(): Promise<TestCluster> {
  const answer = await askTestServer<TestCluster>('keeper.sock');
  if ('error' in answer) throw new Error(`the test cluster did not start: ${answer.error}`);
  return answer;
}

async function asSuperuser(cluster: TestCluster, statement: string): Promise<void> {
  await withOracleDatabase(onDatabase(cluster.superuserUrl, 'postgres'), (database) => database.query(statement));
}

function onDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}
