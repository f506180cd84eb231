import { describe, expect, it } from '@jest/globals';
import { countedThrough } from './counted-through.ts';

const rules = { appendDeadlineMs: 5_000, clockSkewMaxMs: 2_000 };

describe('countedThrough', () => {
  it('stays behind the last record by the deadline and the skew', () => {
    expect(countedThrough(100_000, 200_000, rules)).toBe(93_000);
  });

  it('trusts no clock that runs ahead of ours', () => {
    expect(countedThrough(300_000, 200_000, rules)).toBe(193_000);
  });
});
