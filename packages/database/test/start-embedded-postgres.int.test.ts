import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync } from 'node:fs';
import { readFileSync, readlinkSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startKeeper, type Keeper } from '@tollgate/testkit/keeper';
import { withOracleDatabase } from '@tollgate/testkit/oracles/oracle-database';

import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { chooseDataFolder } from '../src/embedded/choose-data-folder.ts';
import { findRunningPostgres } from '../src/embedded/find-running-postgres.ts';
import { readPostmasterFile } from '../src/embedded/postmaster-file.ts';
import { locateServerBinaries } from '../src/embedded/server-binaries.ts';
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
} from '../src/embedded/start-embedded-postgres.ts';

const log = createLogger({ name: 'test', level: 'silent' });
const isRoot = process.getuid?.() === 0;
const describeAsRoot = isRoot ? describe : describe.skip;

let folder: string;
let started: EmbeddedPostgres[];
let keeper: Keeper;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-embedded-'));
  chmodSync(folder, 0o711);
  started = [];
  keeper = startKeeper({ dataDir: join(folder, 'data') });
});
afterEach(async () => {
  for (const postgres of started) await postgres.stop();
  await keeper.end();
  rmSync(folder, { recursive: true, force: true });
});

async function start(options: Partial<EmbeddedPostgresOptions> = {}): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), log, isDurable: false, ...options });
  started.push(postgres);
  return postgres;
}

async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  return withOracleDatabase(url, async (database) => (await database.query<Record<string, unknown>>(statement)).rows);
}

describe('startEmbeddedPostgres', () => {
  it('gives the owner a database, may create roles, is no superuser, and listens on 127.0.0.1 alone', async () => {
    const { ownerUrl } = await start();
    const [owner] = await query(
      ownerUrl,
      'select rolname, rolsuper, rolcreaterole, current_database() as database from pg_roles where rolname = current_user',
    );
    expect(owner).toEqual({ rolname: 'tollgate_owner', rolsuper: false, rolcreaterole: true, database: 'tollgate' });
    expect(await query(ownerUrl, 'show listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }]);
    expect(readPostmasterFile(join(folder, 'data', 'postgres'))?.socketDir).toBe('');
  });

  it('writes durably', async () => {
    const { ownerUrl } = await start({ isDurable: true });
    for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes']) {
      expect(await query(ownerUrl, `show ${setting}`)).toEqual([{ [setting]: 'on' }]);
    }
  });

  it('refuses a wrong password; the right one is in a file that only this user may read', async () => {
    const { ownerUrl } = await start();
    const wrong = new URL(ownerUrl);
    wrong.password = 'guessed';
    await expect(query(wrong.href, 'select 1')).rejects.toThrow('password authentication failed');
    const modes = ['secret', 'lock'].map((file) => statSync(join(folder, 'data', file)).mode & 0o777);
    expect(modes).toEqual([0o600, 0o600]);
  });

  it('refuses a second copy on the same folder in one line, and lets it in once the first has stopped', async () => {
    const first = await start();
    await expect(start()).rejects.toThrow(`another Tollgate is using the data folder ${join(folder, 'data')};`);
    expect(await query(first.ownerUrl, 'select 1 as one')).toEqual([{ one: 1 }]); // the first one goes on
    await first.stop();
    await start();
  });

  it('F160 leaves the server of a living Tollgate alone, though its lock file was moved away', async () => {
    const first = await start();
    renameSync(join(folder, 'data', 'lock'), join(folder, 'data', 'lock.moved'));
    await expect(start()).rejects.toThrow(`another Tollgate is using the data folder ${join(folder, 'data')};`);
    expect(await query(first.ownerUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
    await first.stop();
    await start();
  });

  it('is found by another process while it runs, and keeps its data when it is stopped and started again', async () => {
    const first = await start();
    await query(first.ownerUrl, 'create table public.kept (n int)');
    expect(findRunningPostgres(join(folder, 'data'))?.ownerUrl).toBe(first.ownerUrl);
    await first.stop();
    expect(findRunningPostgres(join(folder, 'data'))).toBeUndefined();
    expect(await query((await start()).ownerUrl, 'select * from public.kept')).toEqual([]);
  });

  it('starts over when a first start was killed in the middle of initdb', async () => {
    const partial = join(folder, 'data', 'postgres.partial');
    mkdirSync(partial, { recursive: true, mode: 0o711 });
    chmodSync(join(folder, 'data'), 0o711);
    writeFileSync(join(partial, 'PG_VERSION'), '18');
    const { ownerUrl } = await start();
    expect(await query(ownerUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('does not take a foreign process with the old process id for its server', async () => {
    await (await start()).stop();
    const stranger = spawn('sleep', ['1000'], { stdio: 'ignore' });
    const pidFile = join(folder, 'data', 'postgres', 'postmaster.pid');
    writeFileSync(pidFile, `${stranger.pid}\n${join(folder, 'data', 'postgres')}\n1\n5432\n\n127.0.0.1\n1 1\nready\n`);
    await start();
    expect(stranger.exitCode).toBeNull();
    expect(stranger.signalCode).toBeNull();
    stranger.kill();
    await once(stranger, 'exit');
  });

  it('comes back by itself when the server was killed with its parent', async () => {
    const first = await start({ isDurable: true });
    await query(first.ownerUrl, 'create table public.kept (n int)');
    process.kill(readPostmasterFile(join(folder, 'data', 'postgres'))?.pid ?? 0, 'SIGKILL');
    await first.exited;
    await first.stop();
    expect(await query((await start()).ownerUrl, 'select * from public.kept')).toEqual([]);
  });

  it('says which version made the data if that is another one', async () => {
    await (await start()).stop();
    writeFileSync(join(folder, 'data', 'postgres', 'PG_VERSION'), '17\n');
    await expect(start()).rejects.toThrow('was made by PostgreSQL 17, and this release runs 18');
  });
});

describe('startEmbeddedPostgres with the programs of POSTGRES_BIN', () => {
  it('runs them on the data of the embedded ones, with the same settings, and goes back', async () => {
    const embedded = await start();
    expect(embedded.server).toMatch(/^18\.\d+ \(embedded\)$/);
    await query(embedded.ownerUrl, 'create table public.kept (n int)');
    await embedded.stop();
    const programs = copyPrograms(join(folder, 'own'));
    const own = await start({ programs });
    expect(own.server).toMatch(new RegExp(`^18\\.\\d+ \\(POSTGRES_BIN=${programs}\\)$`));
    expect(readlinkSync(`/proc/${own.pid}/exe`)).toBe(join(programs, 'postgres'));
    expect(await query(own.ownerUrl, 'select * from public.kept')).toEqual([]);
    expect(await query(own.ownerUrl, 'show jit')).toEqual([{ jit: 'off' }]); // Debian's build has it, and on
    await own.stop();
    expect(await query((await start()).ownerUrl, 'select * from public.kept')).toEqual([]);
  });

  it('makes the data with them', async () => {
    const dataDir = join(folder, 'made');
    await (await start({ dataDir, programs: copyPrograms(join(folder, 'own')) })).stop();
    expect(await query((await start({ dataDir })).ownerUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it.each([
    ['a folder without them', {}, 'has no postgres; name a folder'],
    [
      'another version',
      { postgres: "echo 'postgres (PostgreSQL) 15.18 (Debian)'", initdb: '' },
      'has PostgreSQL 15.18;',
    ],
    ['what does not run', { postgres: 'echo no libpq >&2; exit 127', initdb: '' }, ': it says "no libpq"'],
  ])('refuses %s, and makes no data folder', async (_title, scripts, words) => {
    const programs = join(folder, 'own');
    mkdirSync(programs);
    for (const [name, script] of Object.entries(scripts))
      writeFileSync(join(programs, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    const refusal = await start({ programs }).catch((error: Error) => error);
    expect(refusal).toMatchObject({ name: 'EmbeddedPostgresError', message: expect.stringContaining(words) });
    expect(existsSync(join(folder, 'data'))).toBe(false);
  });
});

/** Returns the folder of `postgres` and `initdb` in the copy. */
function copyPrograms(copy: string): string {
  cpSync(locateServerBinaries(), copy, { recursive: true, verbatimSymlinks: true });
  return join(copy, 'bin');
}

describeAsRoot('startEmbeddedPostgres, as root, in a folder that the user who runs PostgreSQL cannot reach', () => {
  let closed: string;
  beforeEach(() => {
    closed = join(folder, 'closed');
    mkdirSync(closed, { mode: 0o700 });
  });

  it('runs copied binaries, and puts the data beside them unless a folder was named', async () => {
    cpSync(join(locateServerBinaries(), '..'), join(closed, 'package'), { recursive: true, verbatimSymlinks: true });
    const dataDir = chooseDataFolder(undefined, join(closed, '.tollgate'));
    expect(dataDir).toMatch(/^\/var\/lib\/tollgate\/[0-9a-f]{12}$/);
    const postgres = await start({ dataDir, binaries: join(closed, 'package', 'native') });
    expect(await query(postgres.ownerUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(readFileSync(join(dataDir, 'postgres.log'), 'utf8')).toContain('ready to accept connections');
    await postgres.stop();
    rmSync(dataDir, { recursive: true });
  });

  it('says that the user cannot run the programs of POSTGRES_BIN', async () => {
    const programs = copyPrograms(join(closed, 'own'));
    await expect(start({ programs })).rejects.toThrow(
      /^\S+\/closed\/own\/bin\/postgres cannot be run by the user \w+: let others pass [^\n]+$/,
    );
  });

  it('lets the server pass through a named folder that is empty, as mktemp makes it', async () => {
    const made = join(folder, 'made');
    mkdirSync(made, { mode: 0o700 });
    const postgres = await start({ dataDir: made });
    expect(await query(postgres.ownerUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(statSync(made).mode & 0o777).toBe(0o711);
    await postgres.stop();
  });

  it('refuses a named folder, in one line', async () => {
    const asked = chooseDataFolder(join(closed, 'mine'), '.tollgate');
    await expect(start({ dataDir: asked })).rejects.toThrow(
      /^the data folder \S+\/closed\/mine cannot be reached by the user that runs PostgreSQL \([^\n]+$/,
    );
    expect(existsSync(join(asked, 'postgres'))).toBe(false);
  });
});
