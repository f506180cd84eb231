import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startChildService } from '@tollgate/testkit/child-service';
import { eventually } from '@tollgate/testkit/eventually';
import { createHttpClient } from '@tollgate/testkit/http-client';
import { openJournal } from '@tollgate/testkit/load/journal';
import { startLoad } from '@tollgate/testkit/load/start-load';
import { checkCounting } from '@tollgate/testkit/oracles/check-counting';
import { openOracleDatabase } from '@tollgate/testkit/oracles/oracle-database';
import { postgresLog } from '@tollgate/testkit/oracles/postgres-log';
import { seededRandom } from '@tollgate/testkit/seeded-random';
import { buildStandalone, standaloneMain, startStandalone } from '@tollgate/testkit/standalone-process';
import { registerCast } from '../register-cast.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-processes-'));
chmodSync(folder, 0o711); // root's PostgreSQL runs as somebody else, who must get through
beforeAll(() => buildStandalone(), 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('F88 a bad configuration', () => {
  const mainOf = (name: string) => fileURLToPath(new URL(`../../services/${name}/dist/main.js`, import.meta.url));
  const wrong = { PORT: '99999', METRICS_PORT: 'none', LOG_LEVEL: 'loud' };

  it.each([
    ['auth', ['DATABASE_API_URL', 'DATABASE_WORKER_URL']],
    ['ingest-gateway', ['DATABASE_API_URL', 'DATABASE_WORKER_URL']],
    ['aggregator', ['DATABASE_WORKER_URL']],
    ['billing', ['DATABASE_API_URL', 'DATABASE_WORKER_URL']],
  ])('is told whole by %s, which starts nothing', async (name, required) => {
    const { code, said } = await run([mainOf(name)]);
    for (const setting of [...Object.keys(wrong), ...required]) expect(said).toContain(`  ${setting}: `);
    expect(code).toBe(1);
    expect(said).not.toContain('"listener"');
  });

  it('is told whole by the standalone, which makes no data folder', async () => {
    const dataDir = join(folder, 'never-made');
    const { code, said } = await run([standaloneMain, '--data', dataDir]);
    for (const setting of Object.keys(wrong)) expect(said).toContain(`${setting}: `);
    expect(code).toBeGreaterThan(0);
    expect(existsSync(dataDir)).toBe(false);
  });

  async function run(args: string[]): Promise<{ code: number | null; said: string }> {
    const service = startChildService({ command: process.execPath, args, env: wrong });
    try {
      const { code } = await service.exited;
      return { code, said: service.output() };
    } finally {
      await service.destroy();
    }
  }
});

describe('a process without memory', () => {
  it('F85 dies, and after its restart all that it acknowledged is counted once', async () => {
    const dataDir = join(folder, 'data');
    const leak = join(folder, 'leak.mjs');
    writeFileSync(
      leak,
      `process.once('SIGUSR2', () => {
         const kept = [];
         setInterval(() => kept.push(Array.from({ length: 50_000 }, () => ({}))), 1);
       });`,
    );
    const small = `--max-old-space-size=96 --import=${pathToFileURL(leak).href}`;
    const first = startStandalone({ dataDir, env: { NODE_OPTIONS: small } });
    let serving = first.ready();
    let second: ReturnType<typeof startStandalone> | undefined;
    try {
      const cast = await registerCast(createHttpClient(await serving), 4);
      const journal = openJournal(join(folder, 'journal.ndjson'));
      const random = seededRandom('out of memory');
      const baseUrl = async () => (await serving).baseUrl;
      const load = startLoad({ baseUrl, accounts: cast.consumers, toolIds: cast.toolIds, journal, random, clients: 4 });
      await eventually(() => load.answered() > 100, { withinMs: 20_000 });

      const log = await openOracleDatabase(dataDir);
      const waiting = async () => (await log.query('select from pg_locks where not granted')).rowCount ?? 0;
      await log.query('begin; lock table event_log.partition in access exclusive mode'); // its last appends never end
      await eventually(async () => (await waiting()) > 0, { withinMs: 5_000 });
      first.signal('SIGUSR2');
      expect(await first.exited).not.toMatchObject({ code: 0 });
      expect(first.output()).toContain('heap out of memory');
      await eventually(async () => (await waiting()) === 0, { withinMs: 5_000 }); // the server gives them up too
      await log.end();
      second = startStandalone({ dataDir });
      serving = second.ready();
      await serving;
      const died = load.answered();
      await eventually(() => load.answered() > died + 50, { withinMs: 20_000 });
      await load.settle({ withinMs: 30_000 });
      await journal.close();

      const database = await openOracleDatabase(dataDir);
      try {
        await postgresLog.waitUntilDrained(database, { withinMs: 30_000 });
        const report = await checkCounting(database, { journalPath: journal.path, log: postgresLog });
        expect(report.violations.slice(0, 20)).toEqual([]);
        expect(report.counted).toBeGreaterThan(150);
      } finally {
        await database.end();
      }
    } finally {
      await first.destroy();
      await second?.destroy();
    }
  }, 120_000);
});
