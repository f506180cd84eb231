import { describe, expect, it } from '@jest/globals';
import { duePeriod, firstPeriodOfLookBack } from './due-period.ts';

const at = (iso: string): number => Date.parse(iso);

describe('the period that is due', () => {
  it.each([
    ['nothing was ever used', null, null, '2026-12-31T00:00:00Z', undefined],
    ['the first usage decides', null, '2026-10-31T23:00:00Z', '2026-11-02T00:00:00Z', '2026-10'],
    ['a millisecond is missing', null, '2026-10-31T23:00:00Z', '2026-11-01T23:59:59.999Z', undefined],
    ['the next one after the last closed', '2026-10', null, '2026-12-02T00:00:00Z', '2026-11'],
    ['it is not over yet', '2026-10', null, '2026-11-30T23:00:00Z', undefined],
    ['the year ends', '2026-12', null, '2027-02-02T00:00:00Z', '2027-01'],
    ['F47 a February of 29 days', '2024-01', null, '2024-03-01T23:59:59.999Z', undefined],
    ['F47 and over', '2024-01', null, '2024-03-02T00:00:00Z', '2024-02'],
    ['F47 a February of 28 days', '2023-01', null, '2023-03-02T00:00:00Z', '2023-02'],
  ])('%s', (_case, lastClosed, firstUsage, countedThrough, expected) => {
    const firstUsageMs = firstUsage === null ? null : at(firstUsage);
    expect(duePeriod({ lastClosed, firstUsageMs, countedThroughMs: at(countedThrough) })).toBe(expected);
  });
});

describe('the look back', () => {
  it.each([
    ['2026-11', '2025-11'],
    ['2026-01', '2025-01'],
    ['2024-12', '2023-12'],
  ])('from %s goes to %s', (period, firstPeriod) => {
    expect(firstPeriodOfLookBack(period)).toBe(firstPeriod);
  });
});
