import { describe, expect, it } from '@jest/globals';
import { formatUsd, micros, parseUsd, sumMicros } from '@tollgate/kernel/money';
import fc from 'fast-check';
import { type FeeScope, feeOn } from './fee.ts';
import { splitCharge, splitCharges, type PeriodCharge } from './fee-splits.ts';

const amounts = fc.oneof(
  fc.bigInt({ min: 0n, max: 200n }),
  fc.bigInt({ min: 0n, max: 3n * 10n ** 8n }),
  fc.bigInt({ min: 999_999_900n, max: 1_000_000_100n }),
);
const period = fc.constantFrom('2026-10', '2026-11', '2026-12');
const charge = fc.record({ period, chargeMicros: amounts.map(micros) });
/** Charges, and refunds of some of them later. */
const history = fc
  .array(fc.tuple(charge, fc.option(fc.nat(100))), { maxLength: 15 })
  .map((entries) => [
    ...entries.map(([taken]) => taken),
    ...entries.flatMap(([taken, share]) => refundOf(taken, share)),
  ]);
const scope = fc.constantFrom<FeeScope>('lifetime', 'month');

function refundOf({ period: of, chargeMicros }: PeriodCharge, percent: number | null): PeriodCharge[] {
  return percent === null ? [] : [{ period: of, chargeMicros: micros(-(chargeMicros * BigInt(percent)) / 100n) }];
}

const feesOf = (charges: readonly PeriodCharge[], of: FeeScope) =>
  sumMicros(splitCharges(charges, { scope: of, gross: new Map() }).splits.map(({ feeMicros }) => feeMicros));
const grossOf = (charges: readonly PeriodCharge[]) => sumMicros(charges.map(({ chargeMicros }) => chargeMicros));

describe('a charge', () => {
  it.each([
    ['below the edge', '0', '1000', '1000', '0'],
    ['a micro-dollar over the edge', '1000', '0.000001', '0.000001', '0'],
    ['the first micro-dollar of fee', '1000', '0.000025', '0.000024', '0.000001'],
    ['across the edge', '900', '200', '196', '4'],
    ['above the edge', '5000', '100', '96', '4'],
    ['of nothing', '5000', '0', '0', '0'],
    ['refunded above the edge', '5000', '-100', '-96', '-4'],
    ['refunded across the edge', '1100', '-200', '-196', '-4'],
    ['refunded below nothing', '0', '-10', '-10', '0'],
  ])('F54 %s is split into earning and fee', (_what, grossUsd, chargeUsd, earning, fee) => {
    const split = splitCharge({ grossMicros: parseUsd(grossUsd), chargeMicros: parseUsd(chargeUsd) });
    expect([formatUsd(split.earningMicros), formatUsd(split.feeMicros)]).toEqual([earning, fee]);
    expect(split.grossMicros).toBe(parseUsd(grossUsd) + parseUsd(chargeUsd));
  });

  it('F54 is always earning and fee together, to the micro-dollar', () => {
    const signed = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n });
    fc.assert(
      fc.property(fc.oneof(amounts, signed), fc.oneof(amounts, signed), (grossMicros, chargeMicros) => {
        const split = splitCharge({ grossMicros: micros(grossMicros), chargeMicros: micros(chargeMicros) });
        const isWithin = chargeMicros >= 0n ? split.feeMicros <= chargeMicros : split.feeMicros >= chargeMicros;
        const isWhole = split.earningMicros + split.feeMicros === chargeMicros;
        return isWhole && isWithin && split.feeMicros * chargeMicros >= 0n;
      }),
      { numRuns: 100_000 },
    );
  });
});

describe('charges one after the other', () => {
  it('F54 have taken F(gross) at every moment, refunds included', () => {
    fc.assert(
      fc.property(history, fc.nat(30), (charges, count) => {
        const until = charges.slice(0, count);
        expect(feesOf(until, 'lifetime')).toBe(feeOn(grossOf(until)));
      }),
      { numRuns: 1_000 },
    );
  });

  it('F54 with a month of its own for each 1,000 USD have taken F of each period’s gross', () => {
    fc.assert(
      fc.property(history, (charges) => {
        const byPeriod = [...Map.groupBy(charges, (one) => one.period).values()];
        const expected = sumMicros(byPeriod.map((ofPeriod) => feeOn(grossOf(ofPeriod))));
        expect(feesOf(charges, 'month')).toBe(expected);
      }),
      { numRuns: 1_000 },
    );
  });

  it('go on where those before them ended', () => {
    fc.assert(
      fc.property(history, fc.nat(30), scope, (charges, place, of) => {
        const first = splitCharges(charges.slice(0, place), { scope: of, gross: new Map() });
        const rest = splitCharges(charges.slice(place), { scope: of, gross: first.gross });
        const whole = splitCharges(charges, { scope: of, gross: new Map() });
        expect([...first.splits, ...rest.splits]).toEqual(whole.splits);
        expect(rest.gross).toEqual(whole.gross);
      }),
      { numRuns: 1_000 },
    );
  });

  it('leave the gross that they were given as it was', () => {
    const gross = new Map([['lifetime', parseUsd('999')]]);
    const charged = splitCharges([{ period: '2026-11', chargeMicros: parseUsd('26') }], { scope: 'lifetime', gross });
    expect(charged.splits.map(({ feeMicros }) => feeMicros)).toEqual([parseUsd('1')]);
    expect(charged.gross).toEqual(new Map([['lifetime', parseUsd('1025')]]));
    expect(gross).toEqual(new Map([['lifetime', parseUsd('999')]]));
  });
});
