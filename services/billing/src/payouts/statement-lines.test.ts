import { describe, expect, it } from '@jest/globals';
import { micros } from '@tollgate/kernel/money';
import fc from 'fast-check';
import { sumEarned, type Earned } from './earned.ts';
import { toStatementLines } from './statement-lines.ts';

function earned(charge: bigint, fee: bigint, by: Earned['by'] = 'usage'): Earned {
  const priceId = 'a0000000-0000-4000-8000-000000000000';
  const what = { by, period: '2026-11', toolId: 'search', priceId, chargeIndex: 0, name: null };
  return { ...what, chargeMicros: micros(charge), earningMicros: micros(charge - fee), feeMicros: micros(fee) };
}

const onDay = (day: number, charge: bigint) => ({
  day: `2026-11-${String(day).padStart(2, '0')}`,
  chargeMicros: micros(charge),
});

describe('lines of a statement', () => {
  it('are one a day, in order, each with its share of the fee', () => {
    const lines = toStatementLines(earned(300n, 10n), [onDay(20, 200n), onDay(5, 100n), onDay(7, 0n)]);
    expect(
      lines.map(({ day, chargeMicros, feeMicros, earningMicros }) => [day, chargeMicros, feeMicros, earningMicros]),
    ).toEqual([
      ['2026-11-05', 100n, 3n, 97n],
      ['2026-11-20', 200n, 7n, 193n],
    ]);
  });

  it.each<Earned['by']>(['adjustment', 'refund'])('are of no day: %s', (by) => {
    expect(toStatementLines(earned(300n, 10n, by), [onDay(5, 300n)])).toMatchObject([
      { day: null, chargeMicros: 300n },
    ]);
  });

  it('say apart what was counted for the month since it was billed', () => {
    const lines = toStatementLines(earned(300n, 0n), [onDay(5, 300n), onDay(6, 40n)]);
    expect(lines.map(({ day, chargeMicros }) => [day, chargeMicros])).toEqual([
      ['2026-11-05', 300n],
      ['2026-11-06', 40n],
      [null, -40n],
    ]);
  });

  it('add up to what was earned, to the micro-dollar, also where days are below 0', () => {
    const days = fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 30 }), fc.bigInt({ min: -500n, max: 10n ** 9n })), {
      selector: ([day]) => day,
    });
    const amounts = fc.bigInt({ min: 0n, max: 10n ** 10n });
    fc.assert(
      fc.property(amounts, fc.nat(4), days, (charge, percent, byDay) => {
        const whole = earned(charge, (charge * BigInt(percent)) / 100n);
        const lines = toStatementLines(
          whole,
          byDay.map(([day, amount]) => onDay(day, amount)),
        );
        const { chargeMicros, earningMicros, feeMicros } = whole;
        expect(sumEarned(lines)).toEqual({ chargeMicros, earningMicros, feeMicros });
        for (const line of lines) expect(line.earningMicros + line.feeMicros).toBe(line.chargeMicros);
      }),
      { numRuns: 2_000 },
    );
  });
});
