import { afterEach, describe, expect, it } from '@jest/globals';
import { createMetrics, type Metrics } from '@tollgate/runtime/metrics/create-metrics';
import type { NightlyCheck } from '@tollgate/runtime/jobs/nightly-check';
import { eventually } from '@tollgate/testkit/eventually';
import { createNightlyLedgerCheck } from '../../src/audit/check-ledger-nightly.ts';
import { frozenClock } from '../support/frozen-clock.ts';
import { silentLog as log } from '../support/silent-log.ts';
import { useDatabase } from '../support/use-database.ts';

const testing = useDatabase();
const clock = frozenClock('2026-11-20T12:00:00Z');
let checks: NightlyCheck[] = [];

afterEach(async () => {
  await Promise.all(checks.map((check) => check.stop()));
  checks = [];
});

function newCheck(metrics?: Metrics): NightlyCheck {
  const database = testing.openWorker({ maxConnections: 1, whenStopped: 'cancel' });
  const check = createNightlyLedgerCheck({ database, clock, log, metrics });
  checks.push(check);
  return check;
}

async function known() {
  const rows = await testing.owner.query<{ due_at: Date; checked_at: Date | null; differences: number | null }>(
    'select due_at, checked_at, differences from billing.ledger_check',
  );
  return rows.map((row) => [row.due_at.toISOString(), row.checked_at?.toISOString() ?? null, row.differences]);
}

describe('the nightly ledger check', () => {
  it('waits for the night, then counts the checks that do not hold, once for all processes', async () => {
    const metrics = createMetrics({ service: 'billing' });
    const both = [newCheck(metrics), newCheck(metrics)];
    await Promise.all(both.map((check) => check.look()));
    expect(await known()).toEqual([['2026-11-21T03:00:00.000Z', null, null]]);

    await testing.owner.query('alter table billing.ledger_account disable trigger user');
    await testing.owner.query(`insert into billing.ledger_account (kind, balance_micros) values ('cash', 7)`);
    clock.set(Date.parse('2026-11-21T03:04:00Z'));
    await Promise.all(both.map((check) => check.look()));
    expect(await known()).toEqual([['2026-11-22T03:00:00.000Z', '2026-11-21T03:04:00.000Z', 1]]);
    expect(await metrics.registry.metrics()).toContain('tollgate_billing_ledger_differences{service="billing"} 1');

    await testing.owner.query(`delete from billing.ledger_account`);
    clock.set(Date.parse('2026-11-22T03:00:00Z'));
    await Promise.all(both.map((check) => check.look()));
    expect((await known())[0]?.[2]).toBe(0);
    expect(await metrics.registry.metrics()).toContain('tollgate_billing_ledger_differences{service="billing"} 0');
  });

  it('is done by another process an hour after the first one died', async () => {
    const begunAt3 = `update billing.ledger_check set due_at = '2026-11-22T04:00:00Z', checked_at = null`;
    await testing.owner.query(begunAt3);
    clock.set(Date.parse('2026-11-22T04:00:00Z'));
    await newCheck().start();
    await eventually(async () => (await known())[0]?.[1] === '2026-11-22T04:00:00.000Z', { withinMs: 20_000 });
    expect(await known()).toEqual([['2026-11-23T03:00:00.000Z', '2026-11-22T04:00:00.000Z', 0]]);
  });
});
