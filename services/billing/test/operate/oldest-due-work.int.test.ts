import { expect, it } from '@jest/globals';
import { dayMs } from '@tollgate/kernel/durations';
import { createAuthRows } from '@tollgate/testkit/auth-rows';
import { readOldestDueWork } from '../../src/operate/sql-oldest-due-work.ts';
import { ada } from '../support/cast.ts';
import { useCollection } from '../support/use-collection.ts';
import { payoutSettings } from '../support/wire-money.ts';

const closed = Date.parse('2026-02-02T00:00:01Z');

/** Ada owes 2.3 million USD, in three charges. */
const fixture = useCollection({
  uses: { [ada]: 2_300_000 },
  cards: { [ada]: 'visa' },
  now: '2026-02-02T00:00:01Z',
  then: ({ close }) => close('2026-01'),
});

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
