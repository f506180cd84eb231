import { execFile } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from '@jest/globals';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { migrate, serviceRoles } from '@tollgate/database/migrate';
import { eventually } from '@tollgate/testkit/eventually';
import { describeInTurn } from '@tollgate/testkit/in-turn';
import { connectOracleDatabase, type OracleDatabase } from '@tollgate/testkit/oracles/oracle-database';
import { emptyTestDatabase, type TestDatabase } from '@tollgate/testkit/postgres';
import { buildStandalone, standaloneCli } from '@tollgate/testkit/standalone-process';
import { itWith } from '../it-with.ts';
import { expectCountedOnce } from './expect-counted-once.ts';
import { laterMigrations } from './later-migrations.ts';
import { openShape } from './shape.ts';
import { startCallers } from './start-callers.ts';

const log = createLogger({ name: 'test', level: 'silent' });
const release = fileURLToPath(new URL('../../packages/database/migrations', import.meta.url));
const answersBetween = 20;
const services = ['ingest-gateway', 'ingest-gateway', 'aggregator', 'auth', 'billing'] as const;
/** Longer than the 2 s for which a request waits for a lock. */
const reportSeconds = 3;
const readBusyTables = `select (select count(*) from usage.event), (select count(*) from usage.rollup),
  (select count(*) from event_log.partition), (select count(*) from auth.account), (select count(*) from billing.tool)`;

describeInTurn()('a database that is migrated', () => {
  const it = itWith(async (undo) => {
    const database = await emptyTestDatabase();
    undo(() => database.drop());
    await buildStandalone();
    await migrateToRelease(database);
    const shape = await openShape({ name: 'migrations-under-load', database, services }, undo);
    const reporter = await connectOracleDatabase(database.ownerUrl);
    undo(() => reporter.end());
    return { database, shape, reporter };
  });

  it('F89 fails no request, whatever a migration locks, and however long a report reads', async (opened) => {
    const { database, shape, reporter } = opened;
    const load = await shape.startLoad({ clients: 3 });
    const callers = startCallers(shape.client, load.cast);
    /** Every kind of request is answered again. */
    const goesOn = async (): Promise<void> => {
      const from = { load: load.answered(), callers: callers.rounds() };
      const isAnswered = () => load.answered() > from.load + answersBetween && callers.rounds() > from.callers + 1;
      await eventually(isAnswered, { withinMs: 30_000 });
    };

    const folder = join(shape.folder, 'migrations');
    cpSync(release, folder, { recursive: true });
    for (const [name, sql] of Object.entries(laterMigrations)) {
      await goesOn();
      writeFileSync(join(folder, `${name}.sql`), `${sql};\n`);
      const migrateOn = () =>
        migrate({ ownerUrl: database.ownerUrl, rolePasswords: passwordsOf(database), folder, log });
      expect((await duringReport(reporter, migrateOn)).applied).toEqual([name]);
    }
    await goesOn();
    await callers.stop();
    const { unknown } = await expectCountedOnce(shape, 'migrations under load', { calls: callers.answered() });
    expect(unknown).toBe(0);
    expect([...shape.deployment.router.failures(), ...callers.refusals()]).toEqual([]);
  }, 240_000);
});

/** Migrates by the command that an operator uses. */
async function migrateToRelease(database: TestDatabase): Promise<void> {
  const passwordOf = passwordsOf(database);
  const passwords = serviceRoles.map((role) => [`${role.toUpperCase()}_PASSWORD`, passwordOf(role)]);
  const env = { ...process.env, DATABASE_URL: database.ownerUrl, ...(Object.fromEntries(passwords) as object) };
  await promisify(execFile)(process.execPath, [standaloneCli, 'migrate'], { env });
}

function passwordsOf({ urlFor }: TestDatabase): (role: string) => string {
  return (role) => decodeURIComponent(new URL(urlFor(role)).password);
}

/** Does the work while a report reads every busy table and keeps its locks for a while. */
async function duringReport<Result>(reporter: OracleDatabase, work: () => Promise<Result>): Promise<Result> {
  await reporter.query('begin isolation level repeatable read read only');
  await reporter.query(readBusyTables);
  const reading = reporter.query(`select pg_sleep(${reportSeconds})`).then(() => reporter.query('commit'));
  const [result] = await Promise.all([work(), reading]);
  return result;
}
