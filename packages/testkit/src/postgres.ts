import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import pg from 'pg';

import { eventually } from './eventually.ts';
import type { KeeperAnswer, TestCluster } from './jest/cluster-keeper.ts';

export interface TestDatabase {
  readonly name: string;
  /** The role that migrates and owns everything; row-level policies do not bind it. */
  readonly ownerUrl: string;
  /** `auth_api`, `billing_worker`, …: what a service would be given. */
  urlFor(role: string): string;
  drop(): Promise<void>;
}

/**
 * A database of one's own, migrated, in this run's PostgreSQL: a clone of the template, made in some 50 ms. Call it once
 * a file, in `beforeAll`, and `drop` it in `afterAll`. Roles belong to the whole cluster: do not alter them.
 */
export async function testDatabase(): Promise<TestDatabase> {
  const cluster = await askKeeper();
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asSuperuser(cluster, `create database ${name} template tollgate owner tollgate_owner`);
  return {
    name,
    ownerUrl: onDatabase(cluster.ownerUrl, name),
    urlFor(role) {
      const url = cluster.roleUrls[role];
      if (url === undefined)
        throw new Error(`there is no role ${role}; there are ${Object.keys(cluster.roleUrls).join(', ')}`);
      return onDatabase(url, name);
    },
    drop: () => asSuperuser(cluster, `drop database if exists ${name} with (force)`),
  };
}

/** A database with nothing in it: for tests of the migrator itself. */
export async function emptyTestDatabase(): Promise<TestDatabase> {
  const database = await testDatabase();
  await database.drop();
  await asSuperuser(await askKeeper(), `create database ${database.name} template template0 owner tollgate_owner`);
  return database;
}

let known: Promise<TestCluster> | undefined;

function askKeeper(): Promise<TestCluster> {
  known ??= ask();
  return known;
}

async function ask(): Promise<TestCluster> {
  const path = process.env['TOLLGATE_TEST_CLUSTER'];
  if (path === undefined)
    throw new Error('no test cluster: run the tests with jest.config.js, whose globalSetup keeps one');
  const socket = await eventually(() => connectTo(path), { withinMs: 20_000 }); // it may still be starting
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer); // no encoding is set, so they are buffers
  const answer = JSON.parse(Buffer.concat(chunks).toString('utf8')) as KeeperAnswer; // written by our own keeper
  if ('error' in answer) throw new Error(`the test cluster did not start: ${answer.error}`);
  return answer;
}

async function connectTo(path: string): Promise<Socket> {
  const socket = connect(path);
  await once(socket, 'connect');
  return socket;
}

async function asSuperuser(cluster: TestCluster, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: onDatabase(cluster.superuserUrl, 'postgres') });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function onDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}
