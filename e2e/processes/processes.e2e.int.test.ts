import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect } from '@jest/globals';
import { startChildService } from '@tollgate/testkit/child-service';
import { eventually } from '@tollgate/testkit/eventually';
import { createHttpClient } from '@tollgate/testkit/http-client';
import { openJournal } from '@tollgate/testkit/load/journal';
import { startLoad } from '@tollgate/testkit/load/start-load';
import { checkCounting } from '@tollgate/testkit/oracles/check-counting';
import { ownerUrlOf, withOracleDatabase } from '@tollgate/testkit/oracles/oracle-database';
import { postgresLog } from '@tollgate/testkit/oracles/postgres-log';
import { seededRandom } from '@tollgate/testkit/seeded-random';
import { buildStandalone, standaloneMain, startStandalone } from '@tollgate/testkit/standalone-process';
import { itWith, openFolder } from '../it-with.ts';
import { registerCast } from '../register-cast.ts';

const it = itWith(async (undo) => {
  await buildStandalone();
  return { folder: openFolder('processes', undo), undo };
});

describe('F88 a bad configuration', () => {
  const wrong = { PORT: '99999', METRICS_PORT: 'none', LOG_LEVEL: 'loud' };
  const requiredOf = {
    auth: ['DATABASE_API_URL', 'DATABASE_WORKER_URL'],
    'ingest-gateway': ['DATABASE_API_URL', 'DATABASE_WORKER_URL'],
    aggregator: ['DATABASE_WORKER_URL'],
    billing: ['DATABASE_API_URL', 'DATABASE_WORKER_URL'],
    notifier: ['DATABASE_API_URL', 'DATABASE_WORKER_URL', 'WEBHOOK_ENCRYPTION_SECRET'],
  };

  for (const [name, required] of Object.entries(requiredOf)) {
    it(`is reported whole by ${name}, which starts nothing`, async () => {
      const main = fileURLToPath(new URL(`../../services/${name}/dist/bundle/main.js`, import.meta.url));
      const { code, output } = await run([main]);
      for (const setting of [...Object.keys(wrong), ...required]) expect(output).toContain(`  ${setting}: `);
      expect(code).toBe(1);
      expect(output).not.toContain('"listener"');
    });
  }

  it('is reported whole by the standalone, which creates no data folder', async ({ folder }) => {
    const dataDir = join(folder, 'never-created');
    const { code, output } = await run([standaloneMain, '--data', dataDir], { ...wrong, PASSWORD_MIN_LENGTH: '2' });
    for (const setting of [...Object.keys(wrong), 'PASSWORD_MIN_LENGTH']) expect(output).toContain(`${setting}: `);
    expect(code).toBeGreaterThan(0);
    expect(existsSync(dataDir)).toBe(false);
  });

  async function run(
    args: string[],
    env: Record<string, string> = wrong,
  ): Promise<{ code: number | null; output: string }> {
    const service = startChildService({ command: process.execPath, args, env });
    try {
      const { code } = await service.exited;
      return { code, output: service.output() };
    } finally {
      await service.destroy();
    }
  }
});

/** Loaded into the process: uses up its memory after SIGUSR2. */
const leak = `process.once('SIGUSR2', () => {
  const kept = [];
  setInterval(() => kept.push(Array.from({ length: 50_000 }, () => ({}))), 1);
});`;

describe('a process without memory', () => {
  it('F85 dies, and after its restart all that it acknowledged is counted once', async ({ folder, undo }) => {
    const dataDir = join(folder, 'data');
    const leakFile = join(folder, 'leak.mjs');
    writeFileSync(leakFile, leak);
    const small = `--max-old-space-size=96 --import=${pathToFileURL(leakFile).href}`;
    const first = startStandalone({ dataDir, env: { NODE_OPTIONS: small } });
    undo(() => first.destroy());
    let serving = first.ready();
    const cast = await registerCast(createHttpClient(await serving), 4);
    const journal = openJournal(join(folder, 'journal.ndjson'));
    const random = seededRandom('out of memory');
    const baseUrl = async () => (await serving).baseUrl;
    const load = startLoad({ baseUrl, accounts: cast.consumers, toolIds: cast.toolIds, journal, random, clients: 4 });
    undo(() => load.stop());
    await load.goesOn(100);

    await withOracleDatabase(ownerUrlOf(dataDir), async (database) => {
      const waiting = async () => (await database.query('select from pg_locks where not granted')).rowCount ?? 0;
      await database.query('begin; lock table event_log.partition in access exclusive mode'); // no append ends now
      await eventually(async () => (await waiting()) > 0, { withinMs: 5_000 });
      first.signal('SIGUSR2');
      expect(await first.exited).not.toMatchObject({ code: 0 });
      expect(first.output()).toContain('heap out of memory');
      await eventually(async () => (await waiting()) === 0, { withinMs: 5_000 }); // the server gives them up too
    });
    const second = startStandalone({ dataDir });
    undo(() => second.destroy());
    serving = second.ready();
    await serving;
    await load.goesOn(50);
    await load.settle({ withinMs: 30_000 });
    await journal.close();

    const report = await withOracleDatabase(ownerUrlOf(dataDir), async (database) => {
      await postgresLog.waitUntilDrained(database, { withinMs: 30_000 });
      return checkCounting(database, { journalPath: journal.path, log: postgresLog });
    });
    expect(report.violations.slice(0, 20)).toEqual([]);
    expect(report.counted).toBeGreaterThan(150);
  }, 120_000);
});
