import { dayMs, hourMs } from '@tollgate/kernel/durations';
import { micros, type Micros } from '@tollgate/kernel/money';
import { historyDaysMin } from './plan-forecast.ts';
import { medianOf, spreadOf } from './robust.ts';
import { endOf, spentIn, wholeDaysOf, type SpendingHistory } from './spending-history.ts';

/** The narrowest first: it says the most of the cause. */
export const anomalyScopes = ['pass', 'tool', 'account'] as const;
export type AnomalyScope = (typeof anomalyScopes)[number];

export interface Subject {
  readonly scope: AnomalyScope;
  /** The id of the pass, the tool or the account. */
  readonly scopeId: string;
  readonly history: SpendingHistory;
}

export interface Anomaly {
  readonly scope: AnomalyScope;
  readonly scopeId: string;
  /** An hour, or the 24 hours that end with it. */
  readonly window: 'hour' | 'day';
  readonly fromMs: number;
  readonly toMs: number;
  readonly spentMicros: Micros;
  /** The usual spending in the same hours. */
  readonly usualMicros: Micros;
}

interface Window {
  readonly window: 'hour' | 'day';
  readonly hours: number;
  /** More than so many times the usual is unusual. */
  readonly factor: bigint;
}

const windows: readonly Window[] = [
  { window: 'hour', hours: 1, factor: 5n },
  { window: 'day', hours: 24, factor: 2n },
];

/** So many standard deviations above the usual, as the past has them, are no chance. */
const spreads = 6n;
/** Little money is not told: less above the usual than this part of the account's usual day, or less than a dollar. */
const dayPart = 8n;
const excessMin = 1_000_000n;

/**
 * Finds what spent far more than in its own same hours, in the hours that end after `sinceMs`: the narrowest scope first, and
 * there the largest. Accounts, passes and tools with less than two weeks of history are left alone.
 */
export function planAnomalies(account: Subject, parts: readonly Subject[], sinceMs: number): Anomaly[] {
  const usualDay = medianOf(wholeDaysOf(account.history).days);
  const least = usualDay / dayPart > excessMin ? usualDay / dayPart : excessMin;
  return [...parts, account]
    .filter(({ history }) => wholeDaysOf(history).days.length >= historyDaysMin)
    .flatMap((subject) => findLargest(subject, sinceMs, least) ?? [])
    .toSorted(inOrder);
}

/** The anomaly of a subject that is the most above the usual. */
function findLargest({ scope, scopeId, history }: Subject, sinceMs: number, least: bigint): Anomaly | undefined {
  let largest: Anomaly | undefined;
  for (let toMs = Math.max(sinceMs, history.startMs) + hourMs; toMs <= endOf(history); toMs += hourMs)
    for (const window of windows) {
      const found = compare(history, { ...window, fromMs: toMs - window.hours * hourMs, least });
      if (found === undefined || (largest && excessOf(largest) >= excessOf(found))) continue;
      largest = { scope, scopeId, ...found };
    }
  return largest;
}

interface Place extends Window {
  readonly fromMs: number;
  /** With less above the usual, it does not matter. */
  readonly least: bigint;
}

/** A window and its same hours; undefined if it has nothing unusual, or nothing that matters. */
function compare(history: SpendingHistory, { window, hours, factor, fromMs, least }: Place) {
  const toMs = fromMs + hours * hourMs;
  const spent = spentIn(history, fromMs, toMs);
  if (spent < least) return;
  const same = sameHours(history, fromMs, hours);
  const sameOfWeek = same.filter((_, index) => index % 7 === 6);
  const active = (hours === 1 ? history.hours : same).filter((amount) => amount > 0n);
  const usual = greatest([same, sameOfWeek, active].map(medianOf));
  const isUnusual = spent > factor * usual && spent > usual + spreads * spreadOf(same) && spent - usual >= least;
  return isUnusual ? { window, fromMs, toMs, spentMicros: micros(spent), usualMicros: micros(usual) } : undefined;
}

/** The same hours of each day before, the latest first, since the first call. */
function sameHours(history: SpendingHistory, fromMs: number, hours: number): bigint[] {
  const first = history.startMs + history.hours.findIndex((spent) => spent !== 0n) * hourMs;
  const same: bigint[] = [];
  for (let ms = fromMs - dayMs; ms >= first; ms -= dayMs) same.push(spentIn(history, ms, ms + hours * hourMs));
  return same;
}

function greatest(amounts: readonly bigint[]): bigint {
  return amounts.reduce((most, amount) => (amount > most ? amount : most), 0n);
}

function inOrder(left: Anomaly, right: Anomaly): number {
  const byScope = anomalyScopes.indexOf(left.scope) - anomalyScopes.indexOf(right.scope);
  return byScope || (excessOf(left) > excessOf(right) ? -1 : 1);
}

function excessOf({ spentMicros, usualMicros }: Pick<Anomaly, 'spentMicros' | 'usualMicros'>): bigint {
  return spentMicros - usualMicros;
}
