import { dayMs, hourMs } from '@tollgate/kernel/durations';
import { periodBounds, periodOf } from '@tollgate/kernel/period';
import type { SeededRandom } from '@tollgate/testkit/seeded-random';
import { planAnomalies, type Anomaly } from '../../src/forecast/plan-anomalies.ts';
import { historyDaysMax, planForecast } from '../../src/forecast/plan-forecast.ts';
import { chooseTold, type Episode } from '../../src/forecast/plan-told.ts';
import { spentIn, type SpendingHistory } from '../../src/forecast/spending-history.ts';
import { inventSpending, kinds, rhythms, type InventedAccount } from './invent-spending.ts';

/** June to September 2025. */
const startMs = Date.parse('2025-06-01T00:00:00Z');
const days = 122;
const endMs = startMs + days * dayMs;

/** The last hours before a time, as the service reads them. */
function historyAt({ hours }: InventedAccount, atMs: number): SpendingHistory {
  const end = (atMs - startMs) / hourMs;
  const start = Math.max(0, end - (end % 24) - (historyDaysMax + 1) * 24);
  return { startMs: startMs + start * hourMs, hours: hours.slice(start, end) };
}

export interface ForecastFigures {
  readonly forecasts: number;
  /** The part of the months that ended within their band. */
  readonly covered: number;
  /** The median of the distance from the month as it ended, as a part of it; and what nine of ten are below. */
  readonly medianError: number;
  readonly errorOfNinety: number;
}

/** Forecasts July to September of calm accounts, on a day of each month at 9:00 UTC. */
export function backtestForecasts(random: SeededRandom, perRhythm: number, day: number): ForecastFigures {
  const errors: number[] = [];
  let covered = 0;
  for (const rhythm of rhythms)
    for (let index = 0; index < perRhythm; index += 1) {
      const account = inventSpending(random, { rhythm, kind: undefined, startMs, days, calmDays: 0 });
      for (const month of [7, 8, 9]) {
        const atMs = Date.UTC(2025, month - 1, day, 9);
        const { start, end } = periodBounds(periodOf(atMs));
        const { estimate } = planForecast(historyAt(account, atMs), null);
        if (estimate === undefined) throw new Error('a month of history is enough');
        const spent = spentIn({ startMs, hours: account.hours }, start, end);
        if (estimate.lowMicros <= spent && spent <= estimate.highMicros) covered += 1;
        errors.push(Math.abs(Number(estimate.expectedMicros) / Number(spent) - 1));
      }
    }
  const inOrder = errors.toSorted((left, right) => left - right);
  const errorOf = (part: number): number => inOrder[Math.floor(inOrder.length * part)] ?? Number.NaN;
  const forecasts = errors.length;
  return { forecasts, covered: covered / forecasts, medianError: errorOf(0.5), errorOfNinety: errorOf(0.9) };
}

export interface AlarmFigures {
  /** Months of accounts in which alarms could be raised. */
  readonly accountMonths: number;
  readonly planted: number;
  readonly found: number;
  readonly alarms: number;
  readonly falseAlarms: number;
  /** The most false alarms of one account in one month. */
  readonly falseAlarmsMost: number;
}

/** Looks at accounts each hour, as the job does. A quarter of them has no anomaly; each of the others has one. */
export function backtestAlarms(random: SeededRandom, perRhythm: number): AlarmFigures {
  const figures = { accountMonths: 0, planted: 0, found: 0, alarms: 0, falseAlarms: 0, falseAlarmsMost: 0 };
  for (const rhythm of rhythms)
    for (let index = 0; index < perRhythm; index += 1)
      for (const kind of [undefined, ...kinds]) {
        const account = inventSpending(random, { rhythm, kind, startMs, days, calmDays: 45 });
        const alarms = alarmsOf(account);
        const falseOnes = alarms.filter((alarm) => !isOfPlanted(alarm, account));
        figures.accountMonths += (days - 14) / 30;
        figures.planted += kind === undefined ? 0 : 1;
        figures.found += falseOnes.length < alarms.length ? 1 : 0;
        figures.alarms += alarms.length;
        figures.falseAlarms += falseOnes.length;
        const byMonth = Map.groupBy(falseOnes, ({ toMs }) => periodOf(toMs));
        for (const ofMonth of byMonth.values())
          figures.falseAlarmsMost = Math.max(figures.falseAlarmsMost, ofMonth.length);
      }
  return figures;
}

function alarmsOf(account: InventedAccount): Anomaly[] {
  const alarms: Anomaly[] = [];
  const episodes = new Map<string, Episode>();
  for (let atMs = startMs + 14 * dayMs; atMs <= endMs; atMs += hourMs) {
    const subject = { scope: 'account', scopeId: 'account', history: historyAt(account, atMs) } as const;
    const found = planAnomalies(subject, [], atMs - hourMs);
    const told = chooseTold(found, [...episodes.values()]);
    if (told) alarms.push(told);
    for (const { scope, scopeId, toMs } of found) episodes.set(scopeId, { scope, scopeId, lastMs: toMs });
  }
  return alarms;
}

function isOfPlanted({ fromMs, toMs }: Anomaly, { planted }: InventedAccount): boolean {
  return planted !== undefined && toMs > planted.fromMs && fromMs < planted.toMs;
}
