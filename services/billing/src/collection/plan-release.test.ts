import { describe, expect, it } from '@jest/globals';
import { micros, type Micros } from '@tollgate/kernel/money';
import fc from 'fast-check';
import { grossKeyOf, type FeeScope } from '../fees/fee.ts';
import { splitCharges, type GrossByKey } from '../fees/fee-splits.ts';
import { planRelease, type EarnedLine } from './plan-release.ts';

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

describe('a release', () => {
  it('F54 splits the lines as charges of their builder, in their order, under the key of their own period', () => {
    fc.assert(
      fc.property(payments, scope, (invoices, of) => {
        let gross: ReadonlyMap<string, GrossByKey> = new Map();
        const released = invoices.flatMap((lines) => {
          const plan = planRelease({ scope: of, lines, gross });
          gross = new Map([...gross, ...plan.gross]);
          return plan.lines;
        });
        const expected = new Map(
          builders.map((builderId) => {
            const charges = invoices.flat().filter((one) => one.builderId === builderId);
            return [builderId, [...splitCharges(charges, { scope: of, gross: new Map() }).splits]];
          }),
        );
        expect(released).toEqual(
          invoices.flat().map(({ period, ...each }) => {
            const { earningMicros, feeMicros } = expected.get(each.builderId)?.shift() ?? {};
            return { ...each, grossKey: grossKeyOf(of, period), earningMicros, feeMicros };
          }),
        );
      }),
      { numRuns: 2_000 },
    );
  });

  it('leaves the gross of other builders, and other keys, as they were', () => {
    const grossOf = (...entries: [string, bigint][]) => new Map(entries.map(([key, gross]) => [key, micros(gross)]));
    const others: [string, Map<string, Micros>] = ['f', grossOf(['2026-11', 7n])];
    const lines = [{ invoiceId: 'i', place: 1, builderId: 'e', period: '2026-11', chargeMicros: micros(3n) }];
    const gross = new Map([['e', grossOf(['2026-10', 5n])], others]);
    const after = new Map([['e', grossOf(['2026-10', 5n], ['2026-11', 3n])], others]);
    expect(planRelease({ scope: 'month', lines, gross }).gross).toEqual(after);
  });
});
