import { describe, expect, it } from '@jest/globals';
import { dayMs, hourMs } from '@tollgate/kernel/durations';
import { micros } from '@tollgate/kernel/money';
import { planDays, planForecast } from './plan-forecast.ts';

const usd = (dollars: number) => micros(BigInt(dollars) * 1_000_000n);

/** The history of an account before a time, by what each of its hours had. */
function historyBefore(until: string, days: number, spentAt: (ms: number) => bigint) {
  const endMs = Date.parse(until);
  const startMs = Math.floor(endMs / dayMs) * dayMs - days * dayMs;
  const hours = Array.from({ length: (endMs - startMs) / hourMs }, (_, index) => spentAt(startMs + index * hourMs));
  return { startMs, hours };
}
const evenly = () => usd(1); // 24 dollars a day
const weekdayOf = (ms: number) => new Date(ms).getUTCDay();

describe('the forecast of a month', () => {
  it('goes on as the account did: the month, its band, and the day on which the budget ends', () => {
    const forecast = planForecast(historyBefore('2026-11-11T06:00:00Z', 43, evenly), usd(432));
    expect(forecast).toEqual({
      period: '2026-11',
      throughMs: Date.parse('2026-11-11T06:00:00Z'),
      spentMicros: usd(246),
      estimate: { expectedMicros: usd(720), lowMicros: usd(720), highMicros: usd(720) },
      budgetEndsOn: '2026-11-18', // 18 days of 24 dollars
      historyDays: 42,
    });
  });

  it('knows the days of the week', () => {
    const onWorkdays = (ms: number) => ([0, 6].includes(weekdayOf(ms)) ? 0n : usd(1));
    const { estimate } = planForecast(historyBefore('2026-11-14T00:00:00Z', 43, onWorkdays), null);
    expect(estimate?.expectedMicros).toBe(usd(21 * 24)); // November 2026 has 21 of them
  });

  it('knows the hours of the day', () => {
    const atNight = (ms: number) => (new Date(ms).getUTCHours() < 2 ? usd(5) : 0n);
    const at = (time: string) => planForecast(historyBefore(`2026-11-30T${time}`, 43, atNight), null).estimate;
    expect(at('00:00:00Z')?.expectedMicros).toBe(usd(300));
    expect(at('02:00:00Z')?.expectedMicros).toBe(usd(300)); // nothing more is to come
  });

  it('does not take one wild day for the level, but for a reason of a wider band', () => {
    const wildDay = Date.parse('2026-11-05T00:00:00Z');
    const wild = (ms: number) => (ms >= wildDay && ms < wildDay + dayMs ? usd(30) : evenly());
    const { estimate, spentMicros } = planForecast(historyBefore('2026-11-11T00:00:00Z', 43, wild), null);
    const rest = (estimate?.expectedMicros ?? 0n) - spentMicros;
    expect(rest).toBeGreaterThan(usd(20 * 24 - 1));
    expect(rest).toBeLessThan(usd(20 * 25)); // with the wild day as it is, 69 a day would be expected
    expect(estimate?.highMicros).toBeGreaterThan(estimate?.expectedMicros ?? 0n);
  });

  it('F351 estimates nothing from less than 14 whole days, and still says when the budget was reached', () => {
    const end = '2026-11-18T00:00:00Z';
    const young = (days: number) => {
      const startMs = Date.parse(end) - days * dayMs;
      return planForecast(
        historyBefore(end, 43, (ms) => (ms >= startMs ? usd(1) : 0n)),
        usd(100),
      );
    };
    expect(young(14)).toMatchObject({ historyDays: 13, estimate: undefined, budgetEndsOn: '2026-11-08' });
    expect(young(15)).toMatchObject({ historyDays: 14, estimate: { expectedMicros: usd(28 * 24) } });
  });

  it('is nothing for an account without calls', () => {
    const none = planForecast(
      historyBefore('2026-11-18T00:00:00Z', 43, () => 0n),
      usd(100),
    );
    expect(none).toMatchObject({ spentMicros: 0n, historyDays: 0, estimate: undefined, budgetEndsOn: null });
  });

  it('has a budget end no later than where the spending has already crossed it', () => {
    const { budgetEndsOn } = planForecast(historyBefore('2026-11-21T12:00:00Z', 43, evenly), usd(25));
    expect(budgetEndsOn).toBe('2026-11-02');
  });

  it('has a course whose days add up to it: what was spent until today, and the band from today on', () => {
    const wild = (ms: number) => (new Date(ms).getUTCDate() % 5 === 0 ? usd(2) : evenly());
    const history = historyBefore('2026-11-11T06:00:00Z', 43, wild);
    const { spentMicros, estimate } = planForecast(history, null);
    const days = planDays(history);
    expect(days).toHaveLength(30);
    expect(days[9]).toEqual({ date: '2026-11-10', spentMicros: usd(10 * 24 + 2 * 24) });
    expect(days[10]).toMatchObject({ date: '2026-11-11', spentMicros });
    expect(days[29]).toEqual({ date: '2026-11-30', estimate });
    const widths = days.flatMap((day) => (day.estimate ? day.estimate.highMicros - day.estimate.lowMicros : []));
    expect(widths).toHaveLength(20);
    expect((widths.at(-1) ?? 0n) > (widths[0] ?? 0n)).toBe(true); // the further ahead, the less is known
  });

  it('has a course without estimates from less than 14 whole days', () => {
    const days = planDays(historyBefore('2026-11-11T06:00:00Z', 3, evenly));
    expect(days.filter(({ estimate }) => estimate !== undefined)).toEqual([]);
    expect(days.slice(9, 12)).toEqual([
      { date: '2026-11-10', spentMicros: usd(3 * 24) },
      { date: '2026-11-11', spentMicros: usd(3 * 24 + 6) },
      { date: '2026-11-12' },
    ]);
  });
});
