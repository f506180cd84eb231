import { describe, expect, it } from '@jest/globals';
import { tracePayment, type Collecting } from './trace-payment.ts';

const collecting: Collecting = {
  id: 'invoice',
  number: 7n,
  period: '2026-11',
  status: 'open',
  paidAtMs: null,
  collectAtMs: 1_000,
  refundedCents: 0n,
  hasPaymentMethod: true,
  lastCharge: null,
};
const declined = { status: 'failed', failureCode: 'declined' } as const;
const nextPeriod = '2026-12';

describe('what a payment waits for', () => {
  it.each<[string, Partial<Collecting>, object]>([
    ['the charge that is due', {}, { waitsFor: 'collection', nextAtMs: 1_000, failureCode: null }],
    ['a payment method', { hasPaymentMethod: false }, { waitsFor: 'payment_method', nextAtMs: null }],
    ['the next attempt', { lastCharge: declined }, { waitsFor: 'retry', nextAtMs: 1_000, failureCode: 'declined' }],
    [
      'another payment method, after the last attempt',
      { status: 'past_due', lastCharge: declined, collectAtMs: null },
      { waitsFor: 'payment_method', nextAtMs: null, failureCode: 'declined' },
    ],
    [
      'another payment method, when the declined one was removed',
      { lastCharge: declined, hasPaymentMethod: false },
      { waitsFor: 'payment_method', nextAtMs: null, failureCode: 'declined' },
    ],
    [
      'what came of the charge, whatever was changed since',
      { lastCharge: { status: 'unknown', failureCode: null }, hasPaymentMethod: false, collectAtMs: null },
      { waitsFor: 'outcome', nextAtMs: null, failureCode: null },
    ],
  ])('is %s', (_what, changes, expected) => {
    const facts = { isBilled: true, isInvoiced: true, collecting: { ...collecting, ...changes }, nextPeriod };
    expect(tracePayment(facts)).toMatchObject({ status: 'waiting', paidAtMs: null, ...expected });
  });

  it.each(['paid', 'void', 'uncollectible'] as const)('is nothing once it is %s', (status) => {
    const facts = { isBilled: true, isInvoiced: true, collecting: { ...collecting, status }, nextPeriod };
    expect(tracePayment(facts)).toMatchObject({ status, waitsFor: null, nextAtMs: null });
  });

  it('is the close of the period, then of the next one if it was carried', () => {
    const closeMs = Date.parse('2027-01-02T00:00:00Z');
    const facts = { isBilled: true, collecting: null, nextPeriod };
    expect(tracePayment({ ...facts, isInvoiced: false })).toMatchObject({
      waitsFor: 'period_close',
      nextAtMs: closeMs,
    });
    expect(tracePayment({ ...facts, isInvoiced: true })).toMatchObject({ waitsFor: 'next_invoice', nextAtMs: closeMs });
  });
});
