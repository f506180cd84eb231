import { describe, expect, it } from '@jest/globals';
import { dayMs } from '@tollgate/kernel/durations';
import { micros } from '@tollgate/kernel/money';
import type { Payout } from '../payouts/payout.ts';
import { tracePayout, type PayoutTraceFacts } from './trace-payout.ts';

const released: PayoutTraceFacts = {
  isReleased: true,
  payout: null,
  lastTransfer: null,
  hasAccount: true,
  payableMicros: micros(1_000_000n),
  minimumMicros: micros(1_000_000n),
  nextPeriod: '2026-11',
  delayMs: 7 * dayMs,
};
const payout: Payout = {
  id: 'payout',
  builderId: 'builder',
  period: '2026-11',
  status: 'scheduled',
  netCents: 100n,
  heldCents: 0n,
  feeCents: 0n,
  left: { earningMicros: micros(0n), feeMicros: micros(0n) },
  schedules: 1,
  failures: 0,
  failingSinceMs: null,
  dueAtMs: 5,
  createdAtMs: 1,
  paidAtMs: null,
};
const payoutDayMs = Date.parse('2026-12-08T00:00:00Z');

describe('what a payout waits for', () => {
  it.each<[string, Partial<PayoutTraceFacts>, object]>([
    ['the consumer', { isReleased: false, hasAccount: false }, { waitsFor: 'payment', nextAtMs: null }],
    ['its day', {}, { waitsFor: 'payout_day', nextAtMs: payoutDayMs, id: null }],
    ['more money', { payableMicros: micros(999_999n) }, { waitsFor: 'minimum', nextAtMs: payoutDayMs }],
    ['an account', { hasAccount: false }, { waitsFor: 'payout_account', nextAtMs: payoutDayMs }],
  ])('is %s', (_what, changes, expected) => {
    expect(tracePayout({ ...released, ...changes })).toMatchObject({ status: 'waiting', paidAtMs: null, ...expected });
  });

  it.each<[string, Partial<Payout>, PayoutTraceFacts['lastTransfer'], object]>([
    ['the transfer', {}, null, { status: 'scheduled', waitsFor: 'transfer', nextAtMs: 5, failureCode: null }],
    [
      'what came of the transfer',
      {},
      { status: 'unknown', failureCode: null },
      { status: 'scheduled', waitsFor: 'outcome' },
    ],
    [
      'the platform’s own money',
      {},
      { status: 'failed', failureCode: 'insufficient_funds_of_platform' },
      { status: 'scheduled', waitsFor: 'transfer', failureCode: 'insufficient_funds_of_platform' },
    ],
    [
      'the next try',
      { status: 'failed' },
      { status: 'failed', failureCode: 'account_closed' },
      { status: 'failed', waitsFor: 'retry', nextAtMs: 5, failureCode: 'account_closed' },
    ],
    ['an account', { status: 'failed', dueAtMs: null }, null, { status: 'failed', waitsFor: 'payout_account' }],
    [
      'nothing once it is paid',
      { status: 'paid', dueAtMs: null, paidAtMs: 9 },
      { status: 'succeeded', failureCode: null },
      { status: 'paid', waitsFor: null, nextAtMs: null, paidAtMs: 9 },
    ],
  ])('of a payout that took it is %s', (_what, changes, lastTransfer, expected) => {
    const facts = { ...released, hasAccount: false, payout: { ...payout, ...changes }, lastTransfer };
    expect(tracePayout(facts)).toMatchObject({ id: 'payout', period: '2026-11', ...expected });
  });
});
