import { dayMs, hourMs } from '@tollgate/kernel/durations';
import { micros, type Micros } from '@tollgate/kernel/money';
import { dateOf, dayOf, periodBounds, periodOf } from '@tollgate/kernel/period';
import { quantileOf, sumOf } from './robust.ts';
import { learnPattern, type Pattern } from './learn-pattern.ts';
import { simulateCourses } from './simulate-courses.ts';
import { endOf, spentIn, wholeDaysOf, type SpendingDays, type SpendingHistory } from './spending-history.ts';

/** With less, an account has shown no week twice, and every forecast would be a guess. */
export const historyDaysMin = 14;

/** A forecast looks so many days back. */
export const historyDaysMax = 42;

export interface Estimate {
  readonly expectedMicros: Micros;
  /** Four of five months end between these two. */
  readonly lowMicros: Micros;
  readonly highMicros: Micros;
}

export interface MonthForecast {
  readonly period: string;
  /** Calls before this hour are part of it. */
  readonly throughMs: number;
  readonly spentMicros: Micros;
  /** Undefined: there is too little history. In whole cents. */
  readonly estimate: Estimate | undefined;
  /** The day on which the expected path reaches the budget; null if it does not, or there is no budget. */
  readonly budgetEndsOn: string | null;
  /** The whole days that it was learned from. */
  readonly historyDays: number;
}

/** A day of the month that is forecast. */
export interface ForecastDay {
  /** `2026-11-21`. */
  readonly date: string;
  /** The spending from the start of the month to the end of the day, as far as it is counted; absent of days to come. */
  readonly spentMicros?: Micros;
  /** The estimate by the end of the day; absent of past days, and with too little history. */
  readonly estimate?: Estimate;
}

/** Forecasts the month in which the history ends. It has all of that month so far. */
export function planForecast(history: SpendingHistory, budgetMicros: Micros | null): MonthForecast {
  const throughMs = endOf(history);
  const period = periodOf(throughMs);
  const { start, end } = periodBounds(period);
  const spentMicros = micros(spentIn(history, start, throughMs));
  const whole = wholeDaysOf(history);
  const historyDays = whole.days.length;
  const known = { period, throughMs, spentMicros, historyDays };
  const past = daysOfPast(history, start, dayOf(throughMs));
  const today = spentIn(history, Math.max(start, dayOf(throughMs)), throughMs);
  if (historyDays < historyDaysMin) {
    const path = [...past, today];
    return { ...known, estimate: undefined, budgetEndsOn: dayOfReaching(path, start, budgetMicros) };
  }
  const pattern = learnPattern(history, whole);
  const rest = expectedDays(pattern, throughMs, end);
  const [first = 0n, ...others] = rest;
  const path = [...past, today + first, ...others];
  const estimate = estimateOf(spentMicros, rest, simulateCourses(rest, pattern.errors));
  return { ...known, estimate, budgetEndsOn: dayOfReaching(path, start, budgetMicros) };
}

/** A month by its days: what it has come to by the end of each, and is expected to from today on. */
export function planDays(history: SpendingHistory): ForecastDay[] {
  const throughMs = endOf(history);
  const { start, end } = periodBounds(periodOf(throughMs));
  const spentBy = (ms: number) => micros(spentIn(history, start, Math.min(ms, throughMs)));
  const whole = wholeDaysOf(history);
  const rest = whole.days.length < historyDaysMin ? [] : learnedDays(history, whole, end);
  const days: ForecastDay[] = [];
  for (let ms = start; ms < end; ms += dayMs) {
    const estimate = rest[(ms - dayOf(throughMs)) / dayMs];
    days.push({
      date: dateOf(ms),
      ...(ms < throughMs && { spentMicros: spentBy(ms + dayMs) }),
      ...(estimate && { estimate }),
    });
  }
  return days;
}

/** Estimates what the month will have come to by the end of today and of each day after it. */
function learnedDays(history: SpendingHistory, whole: SpendingDays, endMs: number): Estimate[] {
  const throughMs = endOf(history);
  const pattern = learnPattern(history, whole);
  const rest = expectedDays(pattern, throughMs, endMs);
  const courses = simulateCourses(rest, pattern.errors);
  const spent = spentIn(history, periodBounds(periodOf(throughMs)).start, throughMs);
  return rest.map((_, index) => estimateOf(spent, rest.slice(0, index + 1), courses));
}

function daysOfPast(history: SpendingHistory, startMs: number, endMs: number): bigint[] {
  const days: bigint[] = [];
  for (let ms = startMs; ms < endMs; ms += dayMs) days.push(spentIn(history, ms, ms + dayMs));
  return days;
}

/** The spending that is expected of the rest of today, and of each day after it. */
function expectedDays(pattern: Pattern, throughMs: number, endMs: number): bigint[] {
  const today = dayOf(throughMs);
  const days = [pattern.restOfDay(today, (throughMs - today) / hourMs)];
  for (let ms = today + dayMs; ms < endMs; ms += dayMs) days.push(pattern.restOfDay(ms, 0));
  return days;
}

/** Estimates what a month has come to by the end of the last of some days, of which each course has the sums. */
function estimateOf(spent: bigint, rest: readonly bigint[], courses: readonly (readonly bigint[])[]): Estimate {
  const sums = courses.map((course) => course[rest.length - 1] ?? 0n);
  const middle = quantileOf(sums, 50);
  const expected = spent + sumOf(rest);
  const bound = (percent: number) => expected + stretch(quantileOf(sums, percent) - middle, rest.length);
  const low = bound(10);
  return {
    expectedMicros: toCents(expected),
    lowMicros: toCents(low > spent ? low : spent),
    highMicros: toCents(bound(90)),
  };
}

/**
 * Six weeks show less than what may come, and the less of it the further ahead: one and a quarter for today, twice and a
 * quarter for a month. The backtest is where these come from: with them, four of five months end within the band.
 */
function stretch(deviation: bigint, days: number): bigint {
  return (deviation * BigInt(75 + 2 * days)) / 60n;
}

/** The date of the first day by whose end a month of these days has spent so much. */
function dayOfReaching(days: readonly bigint[], startMs: number, amount: bigint | null): string | null {
  let sum = 0n;
  for (const [index, day] of days.entries()) {
    sum += day;
    if (amount !== null && toCents(sum) >= amount) return dateOf(startMs + index * dayMs);
  }
  return null;
}

/** An estimate says nothing below a cent. */
function toCents(amount: bigint): Micros {
  return micros(((amount + 5_000n) / 10_000n) * 10_000n);
}
