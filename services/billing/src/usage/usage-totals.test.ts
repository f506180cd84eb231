import { describe, expect, it } from '@jest/globals';
import { totalUsage } from './usage-totals.ts';
import type { UsageSums } from './usage-row.ts';

const sums = (given: Partial<UsageSums>): UsageSums => ({
  calls: 0n,
  successes: 0n,
  failures: 0n,
  durationMs: 0n,
  measures: new Map(),
  ...given,
});

describe('totals of usage', () => {
  it('are zeros when there are no rows', async () => {
    expect(await totalUsage([])).toEqual(sums({}));
  });

  it('add integers beyond 2^53 exactly', async () => {
    const rows = [sums({ durationMs: 9_007_199_254_740_993n }), sums({ durationMs: 9_007_199_254_740_992n })];
    expect((await totalUsage(rows)).durationMs).toBe(18_014_398_509_481_985n);
  });

  it('add each measure by its key, exactly, whichever rows have it', async () => {
    const rows = [
      sums({
        measures: new Map([
          ['tokens', '0.1'],
          ['pages', '3'],
        ]),
      }),
      sums({}),
      sums({
        measures: new Map([
          ['tokens', '0.2'],
          ['__proto__', '1'],
        ]),
      }),
    ];
    expect([...(await totalUsage(rows)).measures]).toEqual([
      ['tokens', '0.3'],
      ['pages', '3'],
      ['__proto__', '1'],
    ]);
  });
});
