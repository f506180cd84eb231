import type { Clock } from '@tollgate/kernel/clock';
import type { Database, Transaction } from '@tollgate/database/database';
import type { Micros } from '@tollgate/kernel/money';
import { hourOf, periodBounds, periodOf } from '@tollgate/kernel/period';
import { readWatermark } from '../usage/sql-watermark.ts';
import { planDays, planForecast, type ForecastDay, type MonthForecast } from './plan-forecast.ts';
import { readSpending } from './read-spending.ts';
import { findMonthlyBudget } from './sql-budget.ts';

export interface ForecastWithBudget extends MonthForecast {
  readonly budgetMicros: Micros | null;
  readonly days: readonly ForecastDay[];
}

export interface ReadForecastDeps {
  readonly database: Database;
  readonly clock: Pick<Clock, 'now'>;
}

/** Forecasts the present month of an account, from the hours that are counted. */
export function createReadForecast({ database, clock }: ReadForecastDeps) {
  return async function readForecast(accountId: string): Promise<ForecastWithBudget> {
    const read = async (tx: Transaction): Promise<ForecastWithBudget> => {
      const untilMs = countedHourOf(await readWatermark(tx), clock.now());
      const budgetMicros = await findMonthlyBudget(tx, accountId);
      const history = await readSpending(tx, { accountId, untilMs });
      return { ...planForecast(history, budgetMicros), budgetMicros, days: planDays(history) };
    };
    return database.transaction(read, { accountId, isolation: 'snapshot' });
  };
}

export type ReadForecast = ReturnType<typeof createReadForecast>;

/** The end of the last hour that is counted whole, but never a month before the present one. */
export function countedHourOf(countedThroughMs: number, nowMs: number): number {
  return Math.max(Math.min(hourOf(countedThroughMs), hourOf(nowMs)), periodBounds(periodOf(nowMs)).start);
}
