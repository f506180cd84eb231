import { dayMs, hourMs } from '@tollgate/kernel/durations';
import { medianOf, one, sumOf, usualMeanOf } from './robust.ts';
import type { SpendingDays, SpendingHistory } from './spending-history.ts';

/** How an account spends, as its history shows it. */
export interface Pattern {
  /** The spending that is expected of a day from an hour on. */
  restOfDay(dayMs: number, fromHour: number): bigint;
  /**
   * For each past day from which a forecast could have been made: what the days after it came to, each as a ratio to what
   * would have been forecast then.
   */
  readonly errors: readonly (readonly bigint[])[];
}

/** The level of spending is learned from the last two weeks: so each weekday counts the same. */
const levelDays = 14;
/** The first forecast of the past that is judged had so many days to learn from. */
const levelDaysMin = 7;
/** The days of a week differ: three weeks show how. */
const weekdaysLearnedFrom = 21;
/** A forecast of the past is compared with so many days after it. */
const errorDays = 14;
/** One wild day makes the band wider, but not without bound. */
const errorMax = 4n * one;
/** Days that are expected to have less than this part of the others say nothing of the level. */
const weightMin = one / 20n;

/** Learns the level of spending, the weights of the weekdays and those of the hours of a day. */
export function learnPattern(history: SpendingHistory, whole: SpendingDays): Pattern {
  const { days } = whole;
  const weights = weighWeekdays(whole);
  const weightOf = (ms: number): bigint => weights[weekdayOf(ms)] ?? one;
  const weightsOfDays = days.map((_, index) => weightOf(whole.startMs + index * dayMs));
  const level = levelBefore(days, weightsOfDays, days.length);
  const hours = weighHours(history, whole);
  return {
    restOfDay: (ms, fromHour) => {
      const share = fromHour === 0 ? one : sumOf(hours.slice(fromHour));
      return (level * weightOf(ms) * share) / (one * one);
    },
    errors: errorsOfPast(days, weightsOfDays),
  };
}

/** The weekday of a day in UTC; 1 January 1970 was a Thursday, and has 0. */
function weekdayOf(ms: number): number {
  return (ms / dayMs) % 7;
}

/** Each weekday's usual part of its own week, in ratios whose mean is one. A level that shifts changes them little. */
function weighWeekdays({ startMs, days }: SpendingDays): readonly bigint[] {
  const even = Array.from({ length: 7 }, () => one);
  if (days.length < weekdaysLearnedFrom) return even;
  const ratios = even.map((): bigint[] => []);
  for (let index = 3; index + 3 < days.length; index += 1) {
    const week = sumOf(days.slice(index - 3, index + 4));
    const day = days[index] ?? 0n;
    if (week > 0n) ratios[weekdayOf(startMs + index * dayMs)]?.push((day * 7n * one) / week);
  }
  const usual = ratios.map(medianOf);
  const sum = sumOf(usual);
  return sum > 0n ? usual.map((ratio) => (ratio * 7n * one) / sum) : even;
}

/** Tells what a day of weight one had usually, in the two weeks before a day. */
function levelBefore(days: readonly bigint[], weights: readonly bigint[], end: number): bigint {
  const start = Math.max(0, end - levelDays);
  const levels = days.slice(start, end).flatMap((day, index) => {
    const weight = weights[start + index] ?? one;
    return weight < weightMin ? [] : [(day * one) / weight];
  });
  return usualMeanOf(levels);
}

/** The part of a day that each of its hours has usually; together one. */
function weighHours({ startMs, hours }: SpendingHistory, whole: SpendingDays): readonly bigint[] {
  const firstHour = (whole.startMs - startMs) / hourMs;
  const usual = Array.from({ length: 24 }, (_, hour) => {
    return usualMeanOf(whole.days.map((__, day) => hours[firstHour + day * 24 + hour] ?? 0n));
  });
  const sum = sumOf(usual);
  return usual.map((spent) => (sum > 0n ? (spent * one) / sum : one / 24n));
}

function errorsOfPast(days: readonly bigint[], weights: readonly bigint[]): bigint[][] {
  const errors: bigint[][] = [];
  for (let end = levelDaysMin; end < days.length; end += 1) {
    const level = levelBefore(days, weights, end);
    errors.push(
      days.slice(end, end + errorDays).map((day, index) => {
        const expected = (level * (weights[end + index] ?? one)) / one;
        const ratio = expected > 0n ? (day * one) / expected : one;
        return ratio < errorMax ? ratio : errorMax;
      }),
    );
  }
  return errors;
}
