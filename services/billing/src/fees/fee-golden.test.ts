import { describe, expect, it } from '@jest/globals';
import { formatUsd, micros, parseUsd, type Micros } from '@tollgate/kernel/money';
import { evaluateArithmetic } from '@tollgate/testkit/pricing/evaluate-arithmetic';
import { Fraction } from '@tollgate/testkit/pricing/fraction';
import { readGolden, type GoldenRow, type GoldenSection } from '@tollgate/testkit/pricing/read-golden';
import { grossKeyOf, feeOn } from './fee.ts';
import { splitCharges } from './fee-splits.ts';

const stories = readGolden(new URL('golden/fees.md', import.meta.url));
const rowsOf = (story: GoldenSection): readonly GoldenRow[] => story.tables.get('period') ?? [];
const usdOf = (row: GoldenRow, name: string): Micros => parseUsd((row.get(name) ?? '').replaceAll(',', ''));

describe('golden fees', () => {
  it('are all read', () => {
    expect(stories.map((story) => rowsOf(story).length)).toEqual([5, 7, 6, 4]);
  });

  it.each(stories.map((story) => [story.title, story] as const))('%s', (_title, story) => {
    const scope = story.text.includes('\nScope: month\n') ? 'month' : 'lifetime';
    const rows = rowsOf(story);
    const charges = rows.map((row) => ({ period: row.get('period') ?? '', chargeMicros: usdOf(row, 'charge') }));
    const { splits, gross } = splitCharges(charges, { scope, gross: new Map() });
    expect(
      splits.map(({ grossMicros, feeMicros, earningMicros }) =>
        [grossMicros, feeOn(grossMicros), feeMicros, earningMicros].map(formatUsd),
      ),
    ).toEqual(rows.map((row) => ['gross', 'F', 'fee', 'earning'].map((name) => formatUsd(usdOf(row, name)))));
    const last = new Map(rows.map((row) => [grossKeyOf(scope, row.get('period') ?? ''), usdOf(row, 'gross')]));
    expect(gross).toEqual(last);
  });

  it.each(stories.map((story) => [story.title, story] as const))('%s: the arithmetic', (_title, story) => {
    for (const row of rowsOf(story)) {
      const exact = evaluateArithmetic(row.get('4 % of what is over 1,000') ?? '');
      expect(micros(exact.times(Fraction.of(1_000_000n)).floor())).toBe(usdOf(row, 'F'));
    }
  });
});
