import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { dayMs } from '@tollgate/kernel/durations';
import { createAuthRows } from '@tollgate/testkit/auth-rows';
import { readOldestDueWork } from '../../src/operate/sql-oldest-due-work.ts';
import { createCollectionFixture, type CollectionFixture } from '../support/collection-fixture.ts';
import { perCall } from '../support/invoicing-fixture.ts';
import { payoutSettings } from '../support/wire-money.ts';

const ada = 'a0000000-0000-4000-8000-000000000000';
const xenia = 'e0000000-0000-4000-8000-000000000000';
const closed = Date.parse('2026-02-02T00:00:01Z');

let fixture: CollectionFixture;

/** Ada owes 2.3 million USD, in three charges. */
beforeEach(async () => {
  fixture = await createCollectionFixture();
  await fixture.putTool({ slug: 'search', ownerId: xenia, price: perCall('1') });
  await fixture.addUsage({ consumerId: ada, tool: 'search', hour: '2026-01-05T00:00:00Z', calls: 2_300_000 });
  await fixture.putCard(ada, 'visa');
  fixture.clock.set(closed);
  await fixture.close('2026-01');
});

afterEach(() => fixture.drop());

const read = (laterMs: number) =>
  readOldestDueWork(fixture.worker, { nowMs: closed + laterMs, payoutDelayMs: payoutSettings.delayMs });

const nothing = { charge: null, transfer: null, past_due: null, payout_day: null };

it('F268 the oldest due work is that of an invoice until its last part is charged', async () => {
  expect(await read(0)).toEqual({ ...nothing, charge: closed });
  for (const parts of [1, 2]) {
    await fixture.collectOnly();
    expect(await fixture.charges()).toHaveLength(parts);
    expect(await read(0)).toEqual({ ...nothing, charge: closed });
  }
  await fixture.collectOnly();
  expect(await read(0)).toEqual(nothing);
});

it('F268 the oldest due work names what is past due and the payout day, each since its own time', async () => {
  expect(await read(15 * dayMs)).toEqual({
    ...nothing,
    charge: closed,
    past_due: closed + 14 * dayMs,
    payout_day: Date.parse('2026-02-08T00:00:00Z'),
  });
});

it('F268 the oldest due work leaves out what waits for the operator, or for the answer of the processor', async () => {
  const rows = createAuthRows(fixture.owner);
  await rows.putAccount(ada);
  await rows.suspend(ada);
  expect(await read(0)).toEqual(nothing);
  await rows.resume(ada);
  await fixture.failures.add({ on: 'charge', failure: 'timeout_after_effect', times: 1, subjectId: undefined });
  await fixture.collectOnly();
  expect(await read(0)).toEqual(nothing);
});
