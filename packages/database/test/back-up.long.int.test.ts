import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { startKeeper, type Keeper } from '@tollgate/testkit/keeper';
import { withOracleDatabase } from '@tollgate/testkit/oracles/oracle-database';

import { backUp } from '../src/embedded/back-up.ts';
import { restoreBackup } from '../src/embedded/restore-backup.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../src/embedded/start-embedded-postgres.ts';

const log = createLogger({ name: 'test', level: 'silent' });
let folder: string;
let started: EmbeddedPostgres[];
let keepers: Keeper[];
let workers: Worker[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-backup-'));
  chmodSync(folder, 0o711);
  started = [];
  keepers = [];
  workers = [];
});
afterEach(async () => {
  for (const worker of workers) await worker.terminate();
  for (const postgres of started) await postgres.stop();
  for (const keeper of keepers) await keeper.end();
  rmSync(folder, { recursive: true, force: true });
});

async function start(name: string): Promise<EmbeddedPostgres> {
  keepers.push(startKeeper({ dataDir: join(folder, name) }));
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, name), log, isDurable: false });
  started.push(postgres);
  return postgres;
}

const ask = (url: string, text: string) =>
  withOracleDatabase(url, async (database) => (await database.query<{ value: unknown }>(text)).rows[0]?.value);

/** A thread that fills the log and has PostgreSQL throw away what nobody needs, without a pause: a backup blocks its own. */
function startChurning(url: string): { end(): Promise<number> } {
  const text = `
    const { workerData, parentPort } = require('node:worker_threads');
    const pg = require(workerData.pg);
    let isStopped = false;
    parentPort.on('message', () => (isStopped = true));
    (async () => {
      const client = new pg.Client({ connectionString: workerData.url });
      await client.connect();
      let rounds = 0;
      for (; !isStopped; rounds += 1) {
        await client.query("insert into churned (n) select n from generate_series(1, 100) n");
        await client.query('select pg_switch_wal()');
        await client.query('checkpoint');
        await new Promise((resolve) => setTimeout(resolve, 200)); // each round makes 16 MB for the backup to copy
      }
      await client.end();
      parentPort.postMessage(rounds);
    })();`;
  const worker = new Worker(text, {
    eval: true,
    workerData: { url, pg: createRequire(import.meta.url).resolve('pg') },
  });
  workers.push(worker);
  const rounds = new Promise<number>((resolve, reject) => worker.once('message', resolve).once('error', reject));
  return {
    async end() {
      worker.postMessage('stop');
      return rounds;
    },
  };
}

async function backUpOf(original: EmbeddedPostgres) {
  const [superuserUrl, target] = [original.urlFor('postgres'), join(folder, 'backup')];
  return backUp({ dataDir: join(folder, 'original'), superuserUrl, target });
}

describe('a backup', () => {
  it('F192 is whole although the server throws old log away all the while, and has what was there before its end', async () => {
    const original = await start('original');
    const url = original.urlFor('postgres');
    await ask(url, 'create table churned (n int, at timestamptz default now())');
    const churning = startChurning(url);
    const firstLog = readdirSync(join(folder, 'original/postgres/pg_wal')).toSorted()[0];
    const { startedAt, endedAt } = await backUpOf(original);
    const kept = Number(await ask(url, `select count(*) as value from churned`));
    await churning.end();
    const between = `select count(distinct at) as value from churned where at between '${startedAt}' and '${endedAt}'`;
    expect(Number(await ask(url, between))).toBeGreaterThanOrEqual(3); // each round throws away what is older than it
    await ask(url, 'checkpoint');
    expect(readdirSync(join(folder, 'original/postgres/pg_wal'))).not.toContain(firstLog);
    await original.stop();
    started.length = 0;
    restoreBackup(join(folder, 'backup'), join(folder, 'restored'));
    const restored = await start('restored');
    const count = Number(await ask(restored.urlFor('postgres'), 'select count(*) as value from churned'));
    expect([count % 100, count > 0, count <= kept]).toEqual([0, true, true]);
  }, 120_000);

  it('F192 that is damaged or lacks a file is refused before anything is restored', async () => {
    await backUpOf(await start('original'));
    const pages = join(folder, 'backup/postgres/global/1262');
    const restore = () => restoreBackup(join(folder, 'backup'), join(folder, 'restored'));
    const whole = readFileSync(pages);
    writeFileSync(pages, Buffer.from(whole.map((byte, at) => (at === 5_000 ? byte ^ 1 : byte))));
    expect(restore).toThrow(/is damaged: postgres\/global\/1262 is missing, or is not as it was/);
    rmSync(pages);
    expect(restore).toThrow('is damaged: postgres/global/1262');
    writeFileSync(pages, whole);
    expect(restore().format).toBe(2);
  }, 120_000);
});
