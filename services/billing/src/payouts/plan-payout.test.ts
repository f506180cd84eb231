import { describe, expect, it } from '@jest/globals';
import { parseUsd, zeroMicros } from '@tollgate/kernel/money';
import { payoutIdOf } from './payout.ts';
import { planPayout } from './plan-payout.ts';

const builderId = 'b0000000-0000-4000-8000-000000000000';

function planned(payable: string, minimum: string, later = '0') {
  return planPayout({
    builderId,
    period: '2026-12',
    balances: { payableMicros: parseUsd(payable), inTransitMicros: zeroMicros, failedNetCents: 0n, feeCents: 0n },
    gross: new Map(),
    later: { earningMicros: parseUsd(later), feeMicros: zeroMicros },
    holdMicros: zeroMicros,
    minimumMicros: parseUsd(minimum),
    nowMs: 7,
  });
}

describe('a payout', () => {
  it.each([
    ['exactly the minimum', '5', '5', 500n],
    ['a micro-dollar less', '4.999999', '5', undefined],
    ['a cent, without a minimum', '0.01', '0', 1n],
    ['less than a cent, without a minimum', '0.009999', '0', undefined],
  ])('of %s (%s USD, minimum %s) takes %s cents', (_what, payable, minimum, cents) => {
    expect(planned(payable, minimum)?.netCents).toBe(cents);
  });

  it('F269 leaves what later months have earned, also if that leaves less than the minimum', () => {
    expect(planned('5', '1', '2.5')?.netCents).toBe(250n);
    expect(planned('5', '1', '4.5')).toBeUndefined();
  });

  it('begins scheduled for the first time, due at once, with nothing held and no failure', () => {
    expect(planned('5', '1')).toEqual({
      id: payoutIdOf(builderId, '2026-12'),
      builderId,
      period: '2026-12',
      status: 'scheduled',
      netCents: 500n,
      heldCents: 0n,
      feeCents: 0n,
      left: { earningMicros: zeroMicros, feeMicros: zeroMicros },
      schedules: 1,
      failures: 0,
      failingSinceMs: null,
      dueAtMs: 7,
      createdAtMs: 7,
      paidAtMs: null,
    });
  });
});
