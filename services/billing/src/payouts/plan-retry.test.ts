import { describe, expect, it } from '@jest/globals';
import { parseUsd, sumMicros, zeroMicros } from '@tollgate/kernel/money';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import fc from 'fast-check';
import { payoutIdOf, type Payout } from './payout.ts';
import { planRetry } from './plan-retry.ts';

const builderId = 'b0000000-0000-4000-8000-000000000000';
const minimumMicros = parseUsd('1.00');
const failed: Payout = {
  id: payoutIdOf(builderId, '2026-11'),
  builderId,
  period: '2026-11',
  status: 'failed',
  netCents: 500n,
  heldCents: 0n,
  feeCents: 20n,
  left: { earningMicros: zeroMicros, feeMicros: zeroMicros },
  schedules: 1,
  failures: 1,
  failingSinceMs: 1,
  dueAtMs: 2,
  createdAtMs: 0,
  paidAtMs: null,
};

function retried(payable: string, payout: Payout = failed, minimum = minimumMicros): string {
  const moved = planRetry({ payout, payableMicros: parseUsd(payable), minimumMicros: minimum, nowMs: 3 });
  return moved === undefined ? 'waits' : `${moved.payout.status} ${moved.payout.netCents} ${moved.payout.heldCents}`;
}

describe('the next try of a failed payout', () => {
  it.each([
    ['all of it, where so much is payable', '5.00', 'scheduled 500 0'],
    ['never more than its net', '9.99', 'scheduled 500 0'],
    ['what is payable, where that is less', '4.99', 'scheduled 499 1'],
    ['whole cents of that', '4.999999', 'scheduled 499 1'],
    ['the minimum', '1.00', 'scheduled 100 400'],
    ['nothing below the minimum', '0.999999', 'waits'],
    ['nothing where the builder owes', '-3', 'waits'],
  ])('F115 is %s', (_what, payable, expected) => {
    expect(retried(payable)).toBe(expected);
  });

  it.each([
    ['0.009999', 'waits'],
    ['0.01', 'scheduled 1 499'],
  ])('F115 is at least a cent, where no minimum asks for more: %s USD', (payable, expected) => {
    expect(retried(payable, failed, zeroMicros)).toBe(expected);
  });

  it('F115 is its net, where that is below the minimum by itself', () => {
    expect(retried('0.60', { ...failed, netCents: 60n })).toBe('scheduled 60 0');
  });

  it('F115 posts what it pays, and with what it held makes its first net', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -1_000n, max: 1_000n }), (cents) => {
        const moved = planRetry({ payout: failed, payableMicros: centsToMicros(cents), minimumMicros, nowMs: 3 });
        if (moved === undefined) return;
        const { payout, postings } = moved;
        expect(payout.netCents + payout.heldCents).toBe(failed.netCents);
        expect(payout.netCents <= cents).toBe(true);
        expect(postings).toHaveLength(1);
        expect(postings[0]?.businessKey).toBe(`payout:${failed.id}:scheduled:2`);
        const [from] = postings[0]?.entries ?? [];
        expect(from).toMatchObject({ kind: 'builder_payable', amountMicros: centsToMicros(payout.netCents) });
        expect(sumMicros((postings[0]?.entries ?? []).map(({ amountMicros }) => amountMicros))).toBe(0n);
      }),
    );
  });
});
