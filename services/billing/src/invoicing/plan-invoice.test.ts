import { describe, expect, it } from '@jest/globals';
import { micros, parseUsd } from '@tollgate/kernel/money';
import fc from 'fast-check';
import type { Line } from '@tollgate/pricing/line';
import { closePosting, issueInvoice } from './issue-invoice.ts';
import { planInvoice, type InvoiceFacts } from './plan-invoice.ts';
import { planUpcomingInvoice } from './plan-upcoming-invoice.ts';

const minimumMicros = parseUsd('0.50');
const nowMs = Date.parse('2026-12-02T00:00:00Z');

function line(period: string, chargeMicros: bigint, quantity: string, builderId = 'builder'): Line {
  const of = { consumerId: 'consumer', builderId, toolId: 'search', priceId: `price of ${builderId}`, chargeIndex: 0 };
  return { ...of, period, name: null, unit: 'calls', quantity, chargeMicros: micros(chargeMicros) };
}

function facts(changes: Partial<InvoiceFacts>): InvoiceFacts {
  const nothing = { rated: [], billed: [], carriedInMicros: micros(0n) };
  return { consumerId: 'consumer', period: '2026-11', ...nothing, minimumMicros, ...changes };
}

describe('an invoice', () => {
  it('bills what was rated and not billed before, and nothing of later periods', () => {
    const rated = [line('2026-10', 7n, '7'), line('2026-11', 5n, '5'), line('2026-12', 3n, '3')];
    const { lines } = planInvoice(facts({ rated, billed: [line('2026-10', 4n, '4'), line('2026-10', 1n, '1')] }));
    expect(lines).toEqual([line('2026-10', 2n, '2'), line('2026-11', 5n, '5')]);
  });

  it('shows quantities that cost nothing, and takes back what is not rated any more', () => {
    const rated = [line('2026-10', 4n, '4'), line('2026-11', 0n, '5')];
    const billed = [line('2026-10', 4n, '4'), line('2026-10', 9n, '9', 'other')];
    expect(planInvoice(facts({ rated, billed })).lines).toEqual([
      line('2026-11', 0n, '5'),
      line('2026-10', -9n, '-9', 'other'),
    ]);
  });

  it('adds what was carried in to what it charges, and carries out the rest of a cent', () => {
    const rated = [line('2026-11', 1_000_000n, '1')];
    const of = (carriedInMicros: bigint) => planInvoice(facts({ rated, carriedInMicros: micros(carriedInMicros) }));
    expect(of(499_999n)).toMatchObject({ chargeMicros: 1_000_000n, totalCents: 149n, carriedOutMicros: 9_999n });
    expect(of(-499_999n)).toMatchObject({ chargeMicros: 1_000_000n, totalCents: 50n, carriedOutMicros: 1n });
  });

  it('that bills nothing waits for no payment; another one is due in 14 days', () => {
    const [paid, open] = [499_999n, 500_000n].map((micro) =>
      issueInvoice(planInvoice(facts({ rated: [line('2026-11', micro, '1')] })), nowMs),
    );
    expect(paid).toMatchObject({ status: 'paid', paidAtMs: nowMs, totalCents: 0n });
    expect(open).toMatchObject({ status: 'open', paidAtMs: null, dueAtMs: Date.parse('2026-12-16T00:00:00Z') });
    expect(paid?.id).toBe(open?.id); // a consumer has one invoice per period
  });

  it('posts its charge, line by line, without what was carried in; and nothing where nothing was charged', () => {
    const rated = [line('2026-10', 7n, '7'), line('2026-11', 5n, '5'), line('2026-11', 0n, '5', 'free')];
    const posting = closePosting(issueInvoice(planInvoice(facts({ rated, carriedInMicros: micros(9n) })), nowMs));
    expect(posting?.entries).toEqual([
      { kind: 'receivable', ownerId: 'consumer', amountMicros: 12n },
      { kind: 'builder_earned', ownerId: 'builder', amountMicros: -7n },
      { kind: 'builder_earned', ownerId: 'builder', amountMicros: -5n },
    ]);
    const free = issueInvoice(planInvoice(facts({ rated: [line('2026-11', 0n, '5')] })), nowMs);
    expect(closePosting(free)).toBeUndefined();
  });
});

describe('the upcoming invoice', () => {
  const months = ['2026-08', '2026-09', '2026-10', '2026-11'] as const;
  const charges = fc.array(fc.bigInt({ min: -(10n ** 6n), max: 10n ** 7n }), { minLength: 4, maxLength: 4 });

  it('is what the closes of the periods before it and its own would come to', () => {
    fc.assert(
      fc.property(charges, fc.integer({ min: 0, max: 3 }), (amounts, closed) => {
        const rated = months.map((month, index) => line(month, amounts[index] ?? 0n, '1'));
        let carriedInMicros = micros(3n);
        let billed: readonly Line[] = [];
        const plans = months.map((period) => {
          const before = { billed, carriedInMicros };
          const plan = planInvoice(facts({ period, rated, ...before }));
          billed = [...billed, ...plan.lines];
          carriedInMicros = plan.carriedOutMicros;
          return { plan, before };
        });
        const settledThrough = closed === 0 ? null : (months[closed - 1] ?? null);
        const upcoming = planUpcomingInvoice({ ...facts({ rated, ...plans[closed]?.before }), settledThrough });
        expect(upcoming).toEqual(plans[3]?.plan);
      }),
    );
  });
});
