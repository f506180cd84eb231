import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { systemClock } from '@tollgate/kernel/clock';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { migrate, serviceRoles } from '@tollgate/database/migrate';
import { eventually } from '@tollgate/testkit/eventually';
import { createHttpClient, type HttpClient } from '@tollgate/testkit/http-client';
import { openJournal } from '@tollgate/testkit/load/journal';
import { startLoad, type Load } from '@tollgate/testkit/load/start-load';
import { migrateThrough } from '@tollgate/testkit/migrate-through';
import { describeOfMinutes } from '@tollgate/testkit/minutes';
import { connectOracleDatabase, type OracleDatabase } from '@tollgate/testkit/oracles/oracle-database';
import { postgresLog } from '@tollgate/testkit/oracles/postgres-log';
import { emptyTestDatabase, type TestDatabase } from '@tollgate/testkit/postgres';
import { seededRandom } from '@tollgate/testkit/seeded-random';
import { buildStandalone, standaloneCli } from '@tollgate/testkit/standalone-process';
import { judgeRun } from '../judge-run.ts';
import { registerCast, type Cast } from '../register-cast.ts';
import { openDeployment, type Deployment } from './deployment.ts';
import { laterMigrations } from './later-migrations.ts';
import { startCallers, type Callers } from './start-callers.ts';

const log = createLogger({ name: 'test', level: 'silent' });
const release = fileURLToPath(new URL('../../packages/database/migrations', import.meta.url));
/** The last migration without which these services do not serve. */
const startsFrom = '0013_faster_close';
const answersBetween = 20;
/** A report reads for longer than any request waits for a lock, 2 s; then comes the next. */
const reportSeconds = 3;

describeOfMinutes('a database that is migrated', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-migrations-'));
  let database: TestDatabase;
  let deployment: Deployment;
  let client: HttpClient;
  let cast: Cast;
  let load: Load;
  let callers: Callers;
  let reporter: OracleDatabase;
  let isProven = false;

  beforeAll(async () => {
    await buildStandalone();
    database = await emptyTestDatabase();
    await migrateThrough(database.ownerUrl, startsFrom);
    const { urlFor } = database;
    deployment = await openDeployment({ urlFor, settings: {}, nowMs: systemClock.monotonicMs });
    const services = ['ingest-gateway', 'ingest-gateway', 'aggregator', 'auth', 'billing'] as const;
    await Promise.all(services.map((name) => deployment.add(name)));
    client = createHttpClient({ baseUrl: deployment.router.baseUrl });
    cast = await registerCast(client, 6);
    reporter = await connectOracleDatabase(database.ownerUrl);
  }, 180_000);
  afterAll(async () => {
    load?.stop();
    await callers?.stop().catch(() => undefined);
    if (!isProven && deployment) writeFileSync(join(folder, 'output.txt'), deployment.output());
    await deployment?.destroy();
    await reporter?.end();
    await database?.drop();
    if (isProven) rmSync(folder, { recursive: true, force: true });
    else process.stderr.write(`the migrations failed; journal and output: ${folder}\n`);
  });

  it('F89 fails no request, whatever a migration locks, and however long somebody reads what it needs', async () => {
    const journal = openJournal(join(folder, 'journal.ndjson'));
    const random = seededRandom('migrations under load');
    const { consumers: accounts, toolIds } = cast;
    const baseUrl = async () => deployment.router.baseUrl;
    load = startLoad({ baseUrl, accounts, toolIds, journal, random: random.fork(), clients: 3 });
    callers = startCallers(client, cast);

    await goesOn();
    const applied = await migrateToRelease();
    expect(applied).toContain('0014_processor_sweep');
    expect(applied).toContain('0018_nightly_rollup_check');
    cpSync(release, join(folder, 'migrations'), { recursive: true });
    for (const [name, sql] of Object.entries(laterMigrations)) {
      await goesOn();
      expect(await duringReport(() => migrateTo(name, sql))).toEqual([name]);
    }
    await goesOn();
    await load.settle({ withinMs: 30_000 });
    await callers.stop();
    await journal.close();

    const oracle = { database: reporter, log: postgresLog, journalPath: journal.path };
    const { violations, ...figures } = await judgeRun({ ...oracle, client, cast });
    process.stderr.write(`migrations under load: ${JSON.stringify({ calls: callers.answered(), ...figures })}\n`);
    expect([...deployment.router.failures(), ...callers.refusals()]).toEqual([]);
    expect([...violations, ...load.contradictions]).toEqual([]);
    expect(figures).toMatchObject({ unknown: 0, lost: 0, doubled: 0, invented: 0 });
    isProven = true;
  }, 240_000);

  /** Every kind of request is answered again. */
  async function goesOn(): Promise<void> {
    const from = { load: load.answered(), callers: callers.rounds() };
    await eventually(() => load.answered() > from.load + answersBetween && callers.rounds() > from.callers + 1, {
      withinMs: 30_000,
    });
  }

  /** As an operator does. */
  async function migrateToRelease(): Promise<string> {
    const passwords = serviceRoles.map((role) => [`${role.toUpperCase()}_PASSWORD`, passwordOf(role)]);
    const env = { ...process.env, DATABASE_URL: database.ownerUrl, ...(Object.fromEntries(passwords) as object) };
    return (await promisify(execFile)(process.execPath, [standaloneCli, 'migrate'], { env })).stdout;
  }

  async function migrateTo(name: string, sql: string): Promise<string[]> {
    const later = join(folder, 'migrations');
    writeFileSync(join(later, `${name}.sql`), `${sql};\n`);
    return (await migrate({ ownerUrl: database.ownerUrl, rolePasswords: passwordOf, folder: later, log })).applied;
  }

  const passwordOf = (role: string): string => decodeURIComponent(new URL(database.urlFor(role)).password);

  /** Somebody reads all that is busy, and keeps it for a while. */
  async function duringReport<Result>(work: () => Promise<Result>): Promise<Result> {
    await reporter.query('begin isolation level repeatable read read only');
    await reporter.query(`select (select count(*) from usage.event), (select count(*) from usage.rollup),
      (select count(*) from event_log.partition), (select count(*) from auth.account), (select count(*) from billing.tool)`);
    const reading = reporter.query(`select pg_sleep(${reportSeconds})`).then(() => reporter.query('commit'));
    const [result] = await Promise.all([work(), reading]);
    return result;
  }
});
