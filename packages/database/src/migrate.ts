import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { setTimeout as wait } from 'node:timers/promises';
import { runner } from 'node-pg-migrate';
import { backOffMs } from '@tollgate/kernel/back-off';
import pg from 'pg';
import type { Logger } from 'pino';
import { MigrationRefusal } from './migration-refusal.ts';
import { requireServerVersion } from './require-server-version.ts';
import { sqlState, sqlStateOf } from './pg-error.ts';

export const serviceRoles = [
  'auth_api',
  'auth_worker',
  'ingest_gateway_api',
  'ingest_gateway_worker',
  'aggregator_worker',
  'billing_api',
  'billing_worker',
  'notifier_api',
  'notifier_worker',
] as const;
export type ServiceRole = (typeof serviceRoles)[number];

export interface MigrateOptions {
  /** Role `tollgate_owner`, which may create roles. */
  readonly ownerUrl: string;
  readonly rolePasswords: (role: ServiceRole) => string;
  /** The folder of the files. Default: this release's. */
  readonly folder?: string;
  /** True takes a database that a newer version has migrated as it is: the way back from an upgrade. Default: it throws. */
  readonly acceptsNewer?: boolean;
  readonly log: Logger;
}

/** It lies beside `src` and beside `dist`. */
const migrationsFolder = fileURLToPath(new URL('../migrations', import.meta.url));
const lockKey = 7_701_201; // any number that nothing else in the database locks
const otherMigratorWaitMs = 60_000;
/** Statements queue behind a migration that waits for a table's lock. This is shorter than the services' own limit of 2 s. */
const lockTimeoutMs = 500;
const lockAttemptsMax = 100;
const lockPauseMs = 1_500;

/**
 * Brings the database to the version of this code and sets the roles' passwords, while services go on. If two migrators
 * start together, the second waits for the first. It refuses a server that is too old. It refuses a file that was changed
 * after it had been applied: the database would silently differ from the files.
 */
export async function migrate(options: MigrateOptions): Promise<{ applied: string[] }> {
  const { ownerUrl, rolePasswords, folder = migrationsFolder, acceptsNewer = false, log } = options;
  const client = new pg.Client({
    connectionString: ownerUrl,
    application_name: 'migrate',
    lock_timeout: otherMigratorWaitMs,
  });
  client.on('error', () => undefined); // if the connection is lost between two statements, the next statement fails
  await client.connect();
  try {
    requireServerVersion(await readServerVersion(client));
    await client.query('select pg_advisory_lock($1)', [lockKey]);
    await client.query('create schema if not exists migration');
    await refuseChangedFiles(client, { folder, acceptsNewer });
    await client.query(`set lock_timeout = ${lockTimeoutMs}`);
    const applied = await applyFiles(client, folder, log);
    await client.query(`set lock_timeout = ${otherMigratorWaitMs}`); // roles belong to the whole cluster, and nobody waits for them
    await setPasswords(client, rolePasswords);
    return { applied };
  } finally {
    await client.end(); // which releases the lock
  }
}

async function readServerVersion(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ version: number }>(
    `select current_setting('server_version_num')::int as version`,
  );
  return rows[0]?.version ?? 0;
}

async function applyFiles(client: pg.Client, folder: string, log: Logger): Promise<string[]> {
  const applied: string[] = [];
  const next = () => applyNext(client, folder, log);
  for (let name = await next(); name !== undefined; name = await next()) {
    log.info({ migration: name }, 'applied a migration');
    applied.push(name);
  }
  await rememberHashes(client, folder);
  return applied;
}

/** Applies one file in one transaction. If it cannot get its locks, it lets waiting statements pass, and tries again. */
async function applyNext(client: pg.Client, folder: string, log: Logger): Promise<string | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const [file] = await runner({
        dbClient: client,
        dir: folder,
        direction: 'up',
        count: 1,
        migrationsSchema: 'migration',
        migrationsTable: 'applied',
        noLock: true, // we hold a lock of our own, which waits where the library's would fail
        checkOrder: true,
        logger: { debug() {}, info() {}, warn: (text: string) => log.warn(text), error() {} }, // failures are thrown, too
      });
      return file?.name;
    } catch (error) {
      await client.query('rollback').catch(() => undefined); // the library leaves the transaction open
      if (attempt >= lockAttemptsMax || sqlStateOf(error) !== sqlState.lockNotAvailable) throw error;
      log.warn({ attempt }, 'a table that a migration needs is in use; trying again');
      await wait(backOffMs(1, { firstMs: lockPauseMs, maxMs: lockPauseMs }));
    }
  }
}

async function refuseChangedFiles(
  client: pg.Client,
  { folder, acceptsNewer }: { readonly folder: string; readonly acceptsNewer: boolean },
): Promise<void> {
  await client.query('create table if not exists migration.file_hash (name text primary key, sha256 text not null)');
  const known = await client.query<{ name: string; sha256: string }>('select name, sha256 from migration.file_hash');
  const files = await hashFiles(folder);
  for (const { name, sha256 } of known.rows) {
    const now = files.get(name);
    if (now === undefined && acceptsNewer) continue;
    if (now === undefined)
      throw new MigrationRefusal(
        `The database has migration ${name}, which this version does not know. Start a newer version, or, right after an upgrade, this one with NEWER_DATABASE=accept.`,
      );
    if (now !== sha256)
      throw new MigrationRefusal(
        `Migration ${name} was changed after it had been applied. Restore the file; add a new one instead.`,
      );
  }
}

async function rememberHashes(client: pg.Client, folder: string): Promise<void> {
  for (const [name, sha256] of await hashFiles(folder)) {
    await client.query('insert into migration.file_hash values ($1, $2) on conflict do nothing', [name, sha256]);
  }
}

async function hashFiles(folder: string): Promise<Map<string, string>> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  const hashes = new Map<string, string>();
  for (const name of names) {
    const bytes = await readFile(`${folder}/${name}`);
    hashes.set(name, createHash('sha256').update(bytes).digest('hex'));
  }
  return hashes;
}

async function setPasswords(client: pg.Client, rolePasswords: MigrateOptions['rolePasswords']): Promise<void> {
  for (const role of serviceRoles) {
    // ALTER ROLE takes no parameters: the role is an identifier, and the password a literal.
    await client.query(
      `alter role ${client.escapeIdentifier(role)} password ${client.escapeLiteral(rolePasswords(role))}`,
    );
  }
}
