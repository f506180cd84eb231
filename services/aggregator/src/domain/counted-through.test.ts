import { describe, expect, it } from '@jest/globals';
import { countedThrough } from './counted-through.ts';

const rules = { appendDeadlineMs: 5_000, clockSkewMaxMs: 2_000 };

describe('countedThrough', () => {
  it.each([
    ['stays behind the last record by the deadline and the skew', 100_000, 200_000, 93_000],
    ['trusts no clock that runs ahead of ours', 300_000, 200_000, 193_000],
  ])('%s', (_title, seenThroughMs, nowMs, expected) => {
    expect(countedThrough(seenThroughMs, nowMs, rules)).toBe(expected);
  });
});
