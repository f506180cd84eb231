import { describe, expect, it } from '@jest/globals';
import { hourMs } from '@tollgate/kernel/durations';
import { zeroMicros } from '@tollgate/kernel/money';
import { payoutIdOf, type Payout } from './payout.ts';
import { planTransferOutcome, type TransferOutcome } from './plan-transfer-outcome.ts';
import { retryAtMs } from './move-payout.ts';

const builderId = 'b0000000-0000-4000-8000-000000000000';
const payout: Payout = {
  id: payoutIdOf(builderId, '2026-11'),
  builderId,
  period: '2026-11',
  status: 'scheduled',
  netCents: 500n,
  heldCents: 0n,
  feeCents: 20n,
  left: { earningMicros: zeroMicros, feeMicros: zeroMicros },
  schedules: 1,
  failures: 0,
  failingSinceMs: null,
  dueAtMs: 0,
  createdAtMs: 0,
  paidAtMs: null,
};
const paid: Payout = { ...payout, status: 'paid', dueAtMs: null, paidAtMs: 1 };
const failed: Payout = { ...payout, status: 'failed', failures: 1, failingSinceMs: 4, dueAtMs: 9 };

type Observed = Pick<TransferOutcome, 'payout' | 'before' | 'status'> & Partial<TransferOutcome>;

function outcome(observed: Observed): string {
  const rest = { attemptNumber: 1, cents: 500n, failureCode: undefined, atMs: 5, otherTransfers: 0 };
  const moved = planTransferOutcome({ ...rest, ...observed });
  const keys = moved.postings.map(({ businessKey, entries }) => {
    const amounts = entries.map(({ kind, amountMicros }) => ` ${kind}=${amountMicros / 1_000_000n}`);
    return businessKey.split(':').slice(2).join(':') + (entries.length > 2 ? amounts.join('') : '');
  });
  return [moved.payout.status, ...keys].join(' ');
}

describe('a transfer whose outcome is known', () => {
  it.each<[string, string, Observed]>([
    ['pays the payout', 'paid transferred:1', { payout, before: 'unknown', status: 'succeeded' }],
    ['fails it', 'failed failed:1', { payout, before: 'unknown', status: 'failed' }],
    [
      'F53 leaves it queued where our own balance is too small',
      'scheduled',
      { payout, before: 'unknown', status: 'failed', failureCode: 'insufficient_funds_of_platform' },
    ],
    [
      'F50 takes a payment back',
      'failed reversed:1 failed:1',
      { payout: paid, before: 'succeeded', status: 'reversed' },
    ],
    ['came and went before it was known', 'failed failed:1', { payout, before: 'unknown', status: 'reversed' }],
    [
      'had failed as far as was known: it pays all the same',
      'paid scheduled:2 transferred:1',
      { payout: failed, before: 'failed', status: 'succeeded' },
    ],
    [
      'F119 had failed, and moved more than the payout was lowered to: the builder owes the rest',
      'paid scheduled:2 transferred:1 in_transit=4 builder_payable=1 cash=-5',
      { payout: { ...failed, netCents: 400n, heldCents: 100n }, before: 'failed', status: 'succeeded' },
    ],
    [
      'F119 comes back after that: both are mirrored',
      'failed reversed:1 in_transit=-4 builder_payable=-1 cash=5 failed:1',
      { payout: { ...paid, netCents: 400n, heldCents: 100n }, before: 'succeeded', status: 'reversed' },
    ],
    [
      'late, with the next attempt on its way',
      'paid transferred:1',
      { payout: { ...payout, schedules: 2 }, before: 'failed', status: 'succeeded' },
    ],
    [
      'that next attempt fails: it is paid',
      'paid',
      { payout: paid, before: 'unknown', status: 'failed', attemptNumber: 2, otherTransfers: 1 },
    ],
    [
      'or succeeds, too: the builder owes it',
      'paid transferred:2',
      { payout: paid, before: 'unknown', status: 'succeeded', attemptNumber: 2, otherTransfers: 1 },
    ],
    [
      'until one of them comes back',
      'paid reversed:2',
      { payout: paid, before: 'succeeded', status: 'reversed', attemptNumber: 2, otherTransfers: 1 },
    ],
  ])('%s', (_what, expected, observed) => {
    expect(outcome(observed)).toBe(expected);
  });

  it.each<[string, Observed]>([
    ['failed', { payout: { ...payout, failures: 2 }, before: 'unknown', status: 'failed' }],
    ['came back', { payout: { ...paid, failures: 2 }, before: 'succeeded', status: 'reversed' }],
  ])('is tried again after the third failure in a row, if it %s', (_what, observed) => {
    const rest = { attemptNumber: 1, cents: 500n, failureCode: undefined, atMs: 5, otherTransfers: 0 };
    const { dueAtMs, failures } = planTransferOutcome({ ...rest, ...observed }).payout;
    expect([failures, dueAtMs]).toEqual([3, retryAtMs({ id: payout.id, failures: 3, nowMs: 5 })]);
  });

  it('F53 is tried again within the hour where our own balance is too small, however often', () => {
    const poor = { before: 'unknown', status: 'failed', failureCode: 'insufficient_funds_of_platform' } as const;
    const rest = { payout: { ...payout, failures: 2 }, attemptNumber: 1, cents: 500n, atMs: 5, otherTransfers: 0 };
    const { dueAtMs, failures } = planTransferOutcome({ ...rest, ...poor }).payout;
    expect([failures, dueAtMs]).toEqual([2, retryAtMs({ id: payout.id, failures: 1, nowMs: 5 })]);
  });

  it('posts what it owes, and never more or less', () => {
    const overpaid = {
      payout: paid,
      before: 'unknown',
      status: 'succeeded',
      attemptNumber: 2,
      otherTransfers: 1,
    } as const;
    const { postings } = planTransferOutcome({ ...overpaid, cents: 500n, failureCode: undefined, atMs: 5 });
    expect(postings.map(({ entries }) => entries)).toEqual([
      [
        { kind: 'builder_payable', ownerId: builderId, amountMicros: 5_000_000n },
        { kind: 'cash', ownerId: null, amountMicros: -5_000_000n },
      ],
    ]);
  });
});

describe('the time of the next try', () => {
  it('is an hour later, then twice as long, up to a day, of which half is jitter', () => {
    for (const [failures, wholeMs] of [
      [1, hourMs],
      [2, 2 * hourMs],
      [4, 8 * hourMs],
      [6, 24 * hourMs],
      [600, 24 * hourMs],
    ] as const) {
      const laterMs = retryAtMs({ id: payout.id, failures, nowMs: 1_000 }) - 1_000;
      expect(laterMs).toBeGreaterThanOrEqual(wholeMs / 2);
      expect(laterMs).toBeLessThan(wholeMs);
    }
  });

  it('is another for each payout, the same for each time that it is asked for', () => {
    const ids = Array.from({ length: 100 }, (_, index) => payoutIdOf(builderId, `${2000 + index}-01`));
    const times = ids.map((id) => retryAtMs({ id, failures: 1, nowMs: 0 }));
    expect(new Set(times).size).toBeGreaterThan(95);
    expect(ids.map((id) => retryAtMs({ id, failures: 1, nowMs: 0 }))).toEqual(times);
  });
});
