import { describe, expect, it } from '@jest/globals';
import { micros, sumMicros, zeroMicros, type Micros } from '@tollgate/kernel/money';
import fc from 'fast-check';
import { grossKeyOf, type FeeScope } from '../fees/fee-scope.ts';
import type { GrossByKey } from '../fees/fee-splits.ts';
import { feeOn } from '../fees/fee.ts';
import { planRelease, type EarnedLine, type ReleasedLine } from './plan-release.ts';

const builders = ['e', 'f', 'g'];
const amounts = fc.oneof(
  fc.bigInt({ min: -100n, max: 200n }),
  fc.bigInt({ min: 0n, max: 3n * 10n ** 8n }),
  fc.bigInt({ min: 999_999_900n, max: 1_000_000_100n }),
);
const line = fc.record({
  builderId: fc.constantFrom(...builders),
  period: fc.constantFrom('2026-10', '2026-11', '2026-12'),
  chargeMicros: amounts.map(micros),
});
/** Invoices, each with its lines, as they are paid one after the other. */
const payments = fc
  .array(fc.array(line, { minLength: 1, maxLength: 5 }), { maxLength: 8 })
  .map((invoices) =>
    invoices.map((lines, invoice) =>
      lines.map((each, index): EarnedLine => ({ ...each, invoiceId: `invoice-${invoice}`, place: index + 1 })),
    ),
  );
const scope = fc.constantFrom<FeeScope>('lifetime', 'month');

type Gross = ReadonlyMap<string, GrossByKey>;

function pay(invoices: readonly (readonly EarnedLine[])[], of: FeeScope) {
  let gross: Gross = new Map();
  const released: ReleasedLine[] = [];
  for (const lines of invoices) {
    const plan = planRelease({ scope: of, lines, gross });
    released.push(...plan.lines);
    gross = new Map([...gross, ...plan.gross]);
  }
  return { released, gross };
}

function feesBy(released: readonly ReleasedLine[]): Map<string, Micros> {
  const byKey = Map.groupBy(released, ({ builderId, grossKey }) => `${builderId} ${grossKey}`);
  return new Map([...byKey].map(([key, lines]) => [key, sumMicros(lines.map(({ feeMicros }) => feeMicros))]));
}

describe('a release', () => {
  it('F54 has taken F(gross) of each builder after every payment, in any order of payments', () => {
    const shuffled = payments.chain((invoices) =>
      fc.tuple(fc.constant(invoices), fc.shuffledSubarray(invoices, { minLength: invoices.length })),
    );
    fc.assert(
      fc.property(shuffled, scope, ([invoices, others], of) => {
        const { released, gross } = pay(others, of);
        for (const [builderId, byKey] of gross)
          for (const [key, amount] of byKey)
            expect(feesBy(released).get(`${builderId} ${key}`) ?? zeroMicros).toBe(feeOn(amount));
        expect(feesBy(released)).toEqual(feesBy(pay(invoices, of).released));
      }),
      { numRuns: 2_000 },
    );
  });

  it('parts each line whole, in the order of the lines, under the key of the line’s own period', () => {
    fc.assert(
      fc.property(payments, scope, (invoices, of) => {
        const { released } = pay(invoices, of);
        const lines = invoices.flat();
        expect(
          released.map(({ invoiceId, place, builderId, chargeMicros, grossKey }) => ({
            invoiceId,
            place,
            builderId,
            chargeMicros,
            grossKey,
          })),
        ).toEqual(lines.map(({ period, ...each }) => ({ ...each, grossKey: grossKeyOf(of, period) })));
        for (const { chargeMicros, earningMicros, feeMicros } of released)
          expect(earningMicros + feeMicros).toBe(chargeMicros);
      }),
    );
  });

  it('leaves the gross of other builders, and other keys, as they were', () => {
    const before: Gross = new Map([
      ['e', new Map([['2026-10', micros(5n)]])],
      ['f', new Map([['2026-11', micros(7n)]])],
    ]);
    const lines = [{ invoiceId: 'i', place: 1, builderId: 'e', period: '2026-11', chargeMicros: micros(3n) }];
    expect(planRelease({ scope: 'month', lines, gross: before }).gross).toEqual(
      new Map([
        [
          'e',
          new Map([
            ['2026-10', 5n],
            ['2026-11', 3n],
          ]),
        ],
        ['f', new Map([['2026-11', 7n]])],
      ]),
    );
  });
});
