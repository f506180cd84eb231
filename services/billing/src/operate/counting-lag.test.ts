import { describe, expect, it } from '@jest/globals';
import { hourMs, minuteMs } from '@tollgate/kernel/durations';
import { createCountingLag } from './counting-lag.ts';

const noon = Date.parse('2026-11-21T12:00:00Z');

describe('the lag of counting', () => {
  it('is the largest of each minute', () => {
    const lag = createCountingLag();
    for (const [second, seconds] of [
      [0, 2],
      [15, 7],
      [59, 3],
      [60, 1],
    ] as const)
      lag.note(noon + second * 1_000, seconds);
    expect(lag.lastHour(noon + 70_000)).toEqual([
      { startsMs: noon, lagSeconds: 7 },
      { startsMs: noon + minuteMs, lagSeconds: 1 },
    ]);
  });

  it('is kept for an hour, and has a gap where nobody read', () => {
    const lag = createCountingLag();
    for (const minute of [0, 1, 30, 60]) lag.note(noon + minute * minuteMs, minute);
    expect(lag.lastHour(noon + hourMs).map(({ lagSeconds }) => lagSeconds)).toEqual([1, 30, 60]);
    expect(lag.lastHour(noon + 2 * hourMs)).toEqual([]);
  });
});
