import { describe, expect, it } from '@jest/globals';
import { micros, sumMicros, type Micros } from '@tollgate/kernel/money';
import fc from 'fast-check';
import { feeOn } from '../fees/fee.ts';
import type { GrossByKey } from '../fees/fee-splits.ts';
import { planRelease, type EarnedLine } from '../collection/plan-release.ts';
import { planRefund, type RefundableLine } from './plan-refund.ts';

const builders = ['builder-a', 'builder-b'] as const;
const amount = fc.oneof(
  fc.bigInt({ min: 0n, max: 30n }),
  fc.bigInt({ min: -(10n ** 7n), max: 2n * 10n ** 9n }), // across the 1,000 USD edge, and what a volume tier lowered
);
const line = fc.record({ builderId: fc.constantFrom(...builders), chargeMicros: amount.map(micros) });
const refunds = fc.array(fc.bigInt({ min: 1n, max: 3n * 10n ** 9n }), { maxLength: 4 });
/** The other sums that were released meanwhile: they move the gross, and so what a refund gives back of the fee. */
const meanwhile = fc.array(fc.tuple(fc.constantFrom(...builders), fc.bigInt({ min: 0n, max: 10n ** 9n })), {
  maxLength: 3,
});

interface Books {
  gross: ReadonlyMap<string, GrossByKey>;
  earned: bigint;
  fees: bigint;
}

const sumOf = (gross: ReadonlyMap<string, GrossByKey>, of: (one: Micros) => bigint): bigint =>
  [...gross.values()].flatMap((byKey) => [...byKey.values()]).reduce((sum, one) => sum + of(one), 0n);

describe('refunds', () => {
  it('F52 of any amounts, in any order with what is released meanwhile, leave earnings and fees as F(G) has them', () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 5 }), refunds, meanwhile, (charged, amounts, others) => {
        const empty = new Map(builders.map((id) => [id, new Map([['lifetime', micros(0n)]])]));
        const released = releaseAll(charged, empty);
        const books: Books = released.books;
        let left: readonly RefundableLine[] = released.lines;
        for (const [index, refund] of amounts.entries()) {
          const other = others[index];
          if (other) releaseMore(books, other);
          const plan = planRefund({ amountMicros: micros(refund), lines: left, gross: books.gross });
          const cash = plan.entries.find(({ kind }) => kind === 'cash')?.amountMicros;
          const isBalanced = sumMicros(plan.entries.map(({ amountMicros }) => amountMicros)) === 0n;
          books.gross = plan.gross;
          books.earned -= sumMicros(plan.lines.map(({ earningMicros }) => earningMicros));
          books.fees -= sumMicros(plan.lines.map(({ feeMicros }) => feeMicros));
          left = left.map((one) => lessWhat(plan.lines, one));
          const isByGross = books.fees === sumOf(books.gross, feeOn);
          const isWhole = books.earned + books.fees === sumOf(books.gross, (one) => one);
          if (!(isBalanced && cash === -refund && isByGross && isWhole)) return false; // `expect` would take minutes here
        }
        return left.every(({ leftMicros }, at) => leftMicros >= 0n || leftMicros === charged[at]?.chargeMicros);
      }),
      { numRuns: 100_000 },
    );
  }, 120_000);

  it.each([
    ['of its builder', new Map()],
    ['under its key', new Map([['a', new Map([['2026', micros(5n)]])]])],
  ])('are refused where the facts have no gross %s', (_what, gross) => {
    const lines = [{ invoiceId: 'i', place: 1, builderId: 'a', grossKey: 'lifetime', leftMicros: micros(5n) }];
    expect(() => planRefund({ amountMicros: micros(5n), lines, gross })).toThrow('no gross of builder a');
  });

  it('take nothing of who is not on the invoice', () => {
    const lines = [{ invoiceId: 'i', place: 1, builderId: 'a', grossKey: 'lifetime', leftMicros: micros(5n) }];
    const gross = new Map([['a', new Map([['lifetime', micros(5n)]])]]);
    const plan = planRefund({ amountMicros: micros(10_000n), lines, gross });
    expect(plan.entries).toEqual([
      { kind: 'builder_payable', ownerId: 'a', amountMicros: 5n },
      { kind: 'rounding', ownerId: null, amountMicros: 9_995n },
      { kind: 'cash', ownerId: null, amountMicros: -10_000n },
    ]);
    expect(gross.get('a')?.get('lifetime')).toBe(5n); // the facts that it was given stay as they were
  });
});

function releaseAll(
  charged: readonly { builderId: string; chargeMicros: Micros }[],
  gross: ReadonlyMap<string, GrossByKey>,
): { books: Books; lines: RefundableLine[] } {
  const earned = charged.map((one, at): EarnedLine => ({ ...one, invoiceId: 'i', place: at + 1, period: '2026-01' }));
  const plan = planRelease({ scope: 'lifetime', lines: earned, gross });
  return {
    books: {
      gross: plan.gross,
      earned: sumMicros(plan.lines.map(({ earningMicros }) => earningMicros)),
      fees: sumMicros(plan.lines.map(({ feeMicros }) => feeMicros)),
    },
    lines: plan.lines.map(({ invoiceId, place, builderId, grossKey, chargeMicros: leftMicros }) => {
      return { invoiceId, place, builderId, grossKey, leftMicros };
    }),
  };
}

function releaseMore(books: Books, [builderId, chargeMicros]: readonly [string, bigint]): void {
  const more = releaseAll([{ builderId, chargeMicros: micros(chargeMicros) }], books.gross).books;
  books.gross = more.gross;
  books.earned += more.earned;
  books.fees += more.fees;
}

function lessWhat(refunded: readonly { place: number; chargeMicros: Micros }[], one: RefundableLine): RefundableLine {
  const back = refunded.find(({ place }) => place === one.place)?.chargeMicros ?? 0n;
  return { ...one, leftMicros: micros(one.leftMicros - back) };
}
