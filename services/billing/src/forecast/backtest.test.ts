import { describe, expect, it } from '@jest/globals';
import { isLongLane } from '@tollgate/testkit/lane';
import { createRandom } from '@tollgate/testkit/seeded-random';
import { backtestAlarms, backtestForecasts } from '../../test/support/backtest-spending.ts';

/** The accounts are always the same: docs/forecast.md says what came of them. */
const random = () => createRandom(2023);

describe('months of an hour of real calls', () => {
  it.each([
    { day: 3, error: 0.15, ofNinety: 0.35 },
    { day: 8, error: 0.12, ofNinety: 0.3 },
    { day: 15, error: 0.08, ofNinety: 0.25 },
    { day: 22, error: 0.06, ofNinety: 0.18 },
  ])('are forecast on day $day, and four of five end within the band', ({ day, error, ofNinety }) => {
    const figures = backtestForecasts(random(), 10, day);
    expect(figures.covered).toBeGreaterThan(0.72);
    expect(figures.covered).toBeLessThan(0.92); // a band that is too wide says nothing
    expect(figures.medianError).toBeLessThan(error);
    expect(figures.errorOfNinety).toBeLessThan(ofNinety);
  });

  it('F352 have loops, bursts and shifts that are found, and at most one false alarm of an account in a month', () => {
    const figures = backtestAlarms(random(), isLongLane ? 4 : 1);
    expect(figures.found / figures.planted).toBeGreaterThan(0.85);
    expect(1 - figures.falseAlarms / figures.alarms).toBeGreaterThan(0.85);
    expect(figures.falseAlarmsMost).toBeLessThanOrEqual(1);
    expect(figures.falseAlarms / figures.accountMonths).toBeLessThan(0.05);
  });
});
