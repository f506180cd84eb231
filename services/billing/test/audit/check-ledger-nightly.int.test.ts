import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createMovableClock, type MovableClock } from '@tollgate/kernel/clock';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { createMetrics, type Metrics } from '@tollgate/runtime/metrics/create-metrics';
import { createDatabase, type Database } from '@tollgate/database/database';
import type { NightlyCheck } from '@tollgate/runtime/jobs/nightly-check';
import { eventually } from '@tollgate/testkit/eventually';
import { stopWhileWaiting } from '@tollgate/testkit/stop-while-waiting';
import { testDatabase, type TestDatabase } from '@tollgate/testkit/postgres';
import { createNightlyLedgerCheck } from '../../src/audit/check-ledger-nightly.ts';

let under: TestDatabase;
let owner: Database;
let checks: NightlyCheck[] = [];
let clock: MovableClock;
const log = createLogger({ name: 'nightly-test', level: 'silent' });

beforeEach(async () => {
  under = await testDatabase();
  owner = createDatabase({ url: under.ownerUrl, name: 'test-owner', log });
  clock = createMovableClock(Date.parse('2026-11-20T12:00:00Z'));
  clock.freeze(true);
});
afterEach(async () => {
  await Promise.all(checks.map((check) => check.stop()));
  checks = [];
  await owner.stop();
  await under.drop();
});

function newCheck(metrics?: Metrics): NightlyCheck {
  const url = under.urlFor('billing_worker');
  const database = createDatabase({ url, name: 'test-nightly', maxConnections: 1, whenStopped: 'cancel', log });
  const check = createNightlyLedgerCheck({ database, clock, log, metrics });
  checks.push(check);
  return check;
}

async function known() {
  const rows = await owner.query<{ due_at: Date; checked_at: Date | null; differences: number | null }>(
    'select due_at, checked_at, differences from billing.ledger_check',
  );
  return rows.map((row) => [row.due_at.toISOString(), row.checked_at?.toISOString() ?? null, row.differences]);
}

describe('the nightly ledger check', () => {
  it('waits for the night, then says how many checks do not hold, once for all processes', async () => {
    const metrics = createMetrics({ service: 'billing' });
    const both = [newCheck(metrics), newCheck(metrics)];
    await Promise.all(both.map((check) => check.look()));
    expect(await known()).toEqual([['2026-11-21T03:00:00.000Z', null, null]]);

    await owner.query('alter table billing.ledger_account disable trigger user');
    await owner.query(`insert into billing.ledger_account (kind, balance_micros) values ('cash', 7)`);
    clock.set(Date.parse('2026-11-21T03:04:00Z'));
    await Promise.all(both.map((check) => check.look()));
    expect(await known()).toEqual([['2026-11-22T03:00:00.000Z', '2026-11-21T03:04:00.000Z', 1]]);
    expect(await metrics.registry.metrics()).toContain('tollgate_billing_ledger_differences{service="billing"} 1');

    await owner.query(`delete from billing.ledger_account`);
    clock.set(Date.parse('2026-11-22T03:00:00Z'));
    await Promise.all(both.map((check) => check.look()));
    expect((await known())[0]?.[2]).toBe(0);
    expect(await metrics.registry.metrics()).toContain('tollgate_billing_ledger_differences{service="billing"} 0');
  });

  it('is done by another where the process that had begun it is gone', async () => {
    await owner.query(`insert into billing.ledger_check (due_at) values ('2026-11-22T04:00:00Z')`); // begun at 3, never ended
    clock.set(Date.parse('2026-11-22T04:00:00Z'));
    await newCheck().start();
    await eventually(async () => (await known())[0]?.[1] === '2026-11-22T04:00:00.000Z', { withinMs: 20_000 });
    expect(await known()).toEqual([['2026-11-23T03:00:00.000Z', '2026-11-22T04:00:00.000Z', 0]]);
  });

  it('F87 is stopped at once, and done again by another', async () => {
    const check = newCheck();
    await check.look();
    clock.set(Date.parse('2026-11-21T03:00:00Z'));
    const holder = createDatabase({ url: under.ownerUrl, name: 'test-holder', maxConnections: 1, log });
    await holder.query('begin; lock table billing.invoice in access exclusive mode');
    const stopMs = () => stopWhileWaiting(newCheck(), async () => (await waiting()) > 0);
    await eventually(async () => (await stopMs()) < 1_000, { withinMs: 5_000 }); // 2 s, as a lock is given up
    await holder.query('rollback');
    await holder.stop();
    checks = [];
    clock.set(Date.parse('2026-11-21T04:00:00Z'));
    await newCheck().look();
    expect(await known()).toEqual([['2026-11-22T03:00:00.000Z', '2026-11-21T04:00:00.000Z', 0]]);
  });
});

async function waiting(): Promise<number> {
  return (
    await owner.query(
      `select from pg_locks where not granted and relation = 'billing.invoice'::regclass
         and database = (select oid from pg_database where datname = current_database())`,
    )
  ).length;
}
