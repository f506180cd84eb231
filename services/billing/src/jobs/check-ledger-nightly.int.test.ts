import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createMovableClock } from '@tollgate/kernel/clock';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { createMetrics } from '@tollgate/runtime/metrics/create-metrics';
import { createDatabase, type Database } from '@tollgate/runtime/postgres/database';
import { eventually } from '@tollgate/testkit/eventually';
import { testDatabase, type TestDatabase } from '@tollgate/testkit/postgres';
import { createNightlyLedgerCheck } from './check-ledger-nightly.ts';

let under: TestDatabase;
let owner: Database;
let worker: Database;
const clock = createMovableClock(Date.parse('2026-11-20T12:00:00Z'));
clock.freeze(true);
const soon = { withinMs: 20_000 };
const log = createLogger({ name: 'nightly-test', level: 'silent' });

beforeEach(async () => {
  under = await testDatabase();
  owner = createDatabase({ url: under.ownerUrl, name: 'test-owner', log });
  worker = createDatabase({ url: under.urlFor('billing_worker'), name: 'test-worker', log });
});
afterEach(async () => {
  await worker.stop();
  await owner.stop();
  await under.drop();
});

async function known() {
  const rows = await owner.query<{ due_at: Date; checked_at: Date | null; differences: number | null }>(
    'select due_at, checked_at, differences from billing.ledger_check',
  );
  return rows.map((row) => [row.due_at.toISOString(), row.checked_at?.toISOString() ?? null, row.differences]);
}

describe('the nightly ledger check', () => {
  it('waits for the night, then says how many checks do not hold, once for all processes', async () => {
    const metrics = createMetrics({ service: 'billing' });
    const rounds = [1, 2].map(() => createNightlyLedgerCheck({ database: worker, clock, log, metrics }));
    for (const round of rounds) await round.start();
    await eventually(async () => (await known()).length === 1, soon);
    expect(await known()).toEqual([['2026-11-21T03:00:00.000Z', null, null]]);

    await owner.query('alter table billing.ledger_account disable trigger user');
    await owner.query(`insert into billing.ledger_account (kind, balance_micros) values ('cash', 7)`);
    clock.set(Date.parse('2026-11-21T03:04:00Z'));
    for (const round of rounds) round.announce();
    await eventually(async () => (await known())[0]?.[1] !== null, soon);
    expect(await known()).toEqual([['2026-11-22T03:00:00.000Z', '2026-11-21T03:04:00.000Z', 1]]);
    await eventually(
      async () => (await metrics.registry.metrics()).includes('ledger_differences{service="billing"} 1'),
      soon,
    );

    await owner.query(`delete from billing.ledger_account`);
    clock.set(Date.parse('2026-11-22T03:00:00Z'));
    for (const round of rounds) round.announce();
    await eventually(async () => (await known())[0]?.[2] === 0, soon);
    await eventually(
      async () => (await metrics.registry.metrics()).includes('ledger_differences{service="billing"} 0'),
      soon,
    );
    for (const round of rounds) await round.stop();
  });

  it('is done by another where the process that had begun it is gone', async () => {
    await owner.query(`insert into billing.ledger_check (due_at) values ('2026-11-22T04:00:00Z')`); // begun at 3, never ended
    clock.set(Date.parse('2026-11-22T04:00:00Z'));
    const round = createNightlyLedgerCheck({ database: worker, clock, log });
    await round.start();
    await eventually(async () => (await known())[0]?.[1] === '2026-11-22T04:00:00.000Z', soon);
    expect(await known()).toEqual([['2026-11-23T03:00:00.000Z', '2026-11-22T04:00:00.000Z', 0]]);
    await round.stop();
  });
});
