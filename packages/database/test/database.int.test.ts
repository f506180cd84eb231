import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bestRunBelow, msOf } from '@tollgate/testkit/best-run';
import { busyMs } from '@tollgate/testkit/eventually';
import { systemClock } from '@tollgate/kernel/clock';
import { startFaultProxy } from '@tollgate/testkit/fault-proxy';
import { testDatabase, type TestDatabase } from '@tollgate/testkit/postgres';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { createDatabase, onlyRow, type Database, type DatabaseOptions } from '../src/database.ts';

const log = createLogger({ name: 'test', level: 'silent' });
const account = '01a1fe39-32bc-7f0c-85cd-c8e880861bbc';
let test: TestDatabase;
const opened: Database[] = [];
beforeAll(async () => {
  test = await testDatabase();
});
afterAll(async () => {
  await Promise.all(opened.map((database) => database.stop()));
  await test.drop();
});

function open(options: Partial<DatabaseOptions> = {}): Database {
  const database = createDatabase({ url: test.ownerUrl, name: 'test', log, ...options });
  opened.push(database);
  return database;
}

const accountOf = async (database: Pick<Database, 'query'>) =>
  onlyRow(await database.query<{ id: string | null }>('select auth.current_account_id() as id')).id;

describe('a half-open link', () => {
  it.each([
    ['a statement', (database: Database) => database.query('select 1')],
    ['a transaction', (database: Database) => database.transaction((tx) => tx.query('select 1'))],
  ])(
    'costs one time-out, not one for each connection: %s',
    async (_what, ask) => {
      const { database, proxy } = await openHalfOpen();
      const first = await outcomeOf(ask(database));
      const startedMs = systemClock.monotonicMs();
      const next: unknown[] = [];
      for (let each = 0; each < 6; each += 1) next.push(await outcomeOf(ask(database)));
      const tookMs = systemClock.monotonicMs() - startedMs;
      await proxy.close(); // else half-open connections would never end
      expect(first).toMatchObject({ kind: 'unavailable' });
      expect(next).toEqual(Array.from({ length: 6 }, () => 'answered'));
      expect(tookMs).toBeLessThan(1_000 + busyMs); // six time-outs would be fourteen seconds
    },
    30_000,
  );

  it('does not end the process when a connection is lost during the probe', async () => {
    const { database, proxy } = await openHalfOpen();
    const first = await outcomeOf(database.query('select 1'));
    await proxy.close();
    expect(first).toMatchObject({ kind: 'unavailable' });
    expect(await outcomeOf(database.query('select 1'))).toMatchObject({ kind: 'unavailable' });
  }, 30_000);

  /** Six connections over a link that swallows everything from now on. */
  async function openHalfOpen() {
    const proxy = await startFaultProxy({ port: Number(new URL(test.ownerUrl).port) });
    const url = proxy.through(test.ownerUrl);
    const database = open({ url, maxConnections: 6, holdsConnections: true, statementTimeoutMs: 300 });
    await database.start();
    proxy.halfOpen();
    return { database, proxy };
  }

  const outcomeOf = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => 'answered',
      (error: unknown) => error,
    );
});

describe('values', () => {
  it('reads int8 as bigint, numeric as text and timestamptz as Date, and loses nothing', async () => {
    const rows = await open().query(
      "select 9223372036854775807::int8 as big, 0.10::numeric as exact, '2026-11-21T12:00:00.123Z'::timestamptz as at, null::int8 as nothing",
    );
    expect(rows).toEqual([
      { big: 9_223_372_036_854_775_807n, exact: '0.10', at: new Date('2026-11-21T12:00:00.123Z'), nothing: null },
    ]);
  });
});

describe.each<[string, Partial<DatabaseOptions>]>([
  ['', {}],
  [', pipelined', { isPipelined: true }],
])('transactions%s', (_words, options) => {
  it.each(['40P01', '40001'])('F37 runs again after SQLSTATE %s, and gives up after three attempts', async (code) => {
    const failing = (failures: number) => {
      let attempts = 0;
      const run = open(options).transaction(async (tx) => {
        attempts += 1;
        if (attempts <= failures) await tx.query(`do $$ begin raise exception using errcode = '${code}'; end $$`);
      });
      return { run, attempts: () => attempts };
    };
    const twice = failing(2);
    await twice.run;
    const always = failing(Number.POSITIVE_INFINITY);
    await expect(always.run).rejects.toMatchObject({ code });
    expect([twice.attempts(), always.attempts()]).toEqual([3, 3]);
  });

  it('F75 leaves a clean connection behind: no account, no half transaction, also after a throw', async () => {
    const database = open({ ...options, maxConnections: 1 });
    await database.query('create table if not exists public.left_behind ()');
    const seen = await database.transaction((tx) => accountOf(tx), { accountId: account });
    expect(seen).toBe(account);
    expect(await accountOf(database)).toBeNull();
    const broken = database.transaction(
      async (tx) => {
        await tx.query('drop table public.left_behind');
        await tx.query('select 1 / 0');
      },
      { accountId: account },
    );
    await expect(broken).rejects.toMatchObject({ code: '22012' });
    expect(await accountOf(database)).toBeNull();
    expect(await database.query("select to_regclass('public.left_behind')::text as name")).toEqual([
      { name: 'left_behind' },
    ]);
  });

  it('rejects when the server rolled back because the caller went on after a failed statement', async () => {
    const database = open(options);
    const careless = database.transaction(async (tx) => {
      await tx.query('create table careless ()');
      await tx.query('select 1 / 0').catch(() => undefined);
    });
    await expect(careless).rejects.toThrow('rolled back');
  });

  it('F34 says unavailable when the connection is cut in the middle, and works again', async () => {
    const database = open({ ...options, maxConnections: 1 });
    const cut = database.transaction((tx) => tx.query('select pg_terminate_backend(pg_backend_pid())'));
    await expect(cut).rejects.toMatchObject({ kind: 'unavailable' });
    expect(await database.query('select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('has all of its statements or none, the last one sent along with COMMIT', async () => {
    const database = open({ ...options, maxConnections: 1 });
    await database.query('create table if not exists public.kept (n int primary key)');
    await database.query('truncate public.kept');
    const insert = 'insert into public.kept values ($1) returning n';
    const put = (first: number, last: number) =>
      database.transaction(
        async (tx) => {
          await tx.query('select n from public.kept for update');
          const inserted = tx.query(insert, [first]);
          if (options.isPipelined === true) inserted.catch(() => undefined); // then the next one fails, too
          else await inserted;
          return tx.query(insert, [last], 'last');
        },
        { startsWithRead: true },
      );
    expect(await put(1, 2)).toEqual([{ n: 2 }]);
    await expect(put(3, 3)).rejects.toMatchObject({ code: '23505' });
    await expect(put(2, 4)).rejects.toThrow(/duplicate key|aborted/);
    expect(await database.query('select n from public.kept order by n')).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it('F34 says unavailable when the connection is cut at the statement that was sent along with BEGIN', async () => {
    const database = open({ ...options, maxConnections: 1 });
    let isThrough = false;
    const cut = database.transaction(
      async (tx) => {
        await tx.query('select pg_terminate_backend(pg_backend_pid())');
        isThrough = true;
      },
      { startsWithRead: true },
    );
    await expect(cut).rejects.toMatchObject({ kind: 'unavailable' });
    expect(isThrough).toBe(false);
    expect(await database.query('select 1 as one')).toEqual([{ one: 1 }]);
  });
});

/** A timer fires a little late, and the answer takes its way. */
const timerMs = 100;

describe('bounds', () => {
  it('F40 answers unavailable after a bounded wait when all connections are taken', async () => {
    const database = open({ maxConnections: 1, statementTimeoutMs: 8_000 });
    await bestRunBelow(2_000 + timerMs, async () => {
      const hog = database.query('select pg_sleep(3)');
      const waitedMs = await msOf(() =>
        expect(database.query('select 1')).rejects.toMatchObject({ kind: 'unavailable', retryAfterSeconds: 1 }),
      );
      await hog;
      return waitedMs;
    });
    expect(await database.query('select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('F40 has all of its connections from the start on with `holdsConnections`', async () => {
    const holding = open({ name: 'holding', maxConnections: 3, holdsConnections: true });
    const other = open({ name: 'other', maxConnections: 3 });
    await Promise.all([holding.start(), other.start()]);
    const connections = `select application_name as name, count(*)::int from pg_stat_activity
      where datname = current_database() and application_name in ('holding', 'other') group by 1 order by 1`;
    expect(await other.query(connections)).toEqual([
      { name: 'holding', count: 3 },
      { name: 'other', count: 1 },
    ]);
  });

  it('F41 cancels a statement that does not end', async () => {
    const database = open({ statementTimeoutMs: 200 });
    await expect(database.query('select pg_sleep(30)')).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('F38 waits at most 2 s for a lock, however long a statement may take', async () => {
    const database = open({ statementTimeoutMs: 30_000 });
    await database.query('create table if not exists public.locked ()');
    const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holder = database.transaction(async (tx) => {
      await tx.query('lock table public.locked');
      locked.resolve();
      await release.promise;
    });
    await locked.promise;
    const ask = () =>
      expect(database.query('select * from public.locked')).rejects.toMatchObject({ kind: 'unavailable' });
    await bestRunBelow(2_000 + timerMs, () => msOf(ask));
    release.resolve();
    await holder;
  });

  it('says unavailable when no server listens at the address', async () => {
    const database = open({ url: 'postgresql://nobody:secret@127.0.0.1:1/none' });
    await expect(database.query('select 1')).rejects.toMatchObject({ kind: 'unavailable' });
    await expect(database.readiness?.()['test']).resolves.toBe('cannot reach PostgreSQL');
  });
});
