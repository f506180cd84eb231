import type { Database, Transaction } from '@tollgate/database/database';
import { dayMs } from '@tollgate/kernel/durations';
import { nilUuid } from '@tollgate/kernel/uuid';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { wholeSlice, type TimeSlice } from '@tollgate/runtime/timing/time-slice';
import { createWalk } from '@tollgate/runtime/timing/walk';
import { readWatermark } from '../usage/sql-watermark.ts';
import { planAnomalies, type Anomaly } from './plan-anomalies.ts';
import { planForecast } from './plan-forecast.ts';
import { chooseTold } from './plan-told.ts';
import { countedHourOf } from './read-forecast.ts';
import { readSpendingInParts, type SpendingInParts } from './read-spending.ts';
import { findMonthlyBudget } from './sql-budget.ts';
import { insertAnomalyAlert, insertForecastAlert, listEpisodes, putEpisodes } from './sql-spending-alerts.ts';
import * as watch from './sql-spending-watch.ts';

export interface WatchSpendingDeps {
  readonly database: Database;
  readonly log: Logger;
  readonly batchMax?: number;
}

interface Look {
  readonly accountId: string;
  readonly nowMs: number;
  readonly untilMs: number;
  readonly sinceMs: number;
}

/**
 * Looks once an hour at the accounts that made calls in it: whether the month will exceed its budget, and whether something
 * spends far more than usual. Returns how many alerts it raised. Whatever one look at an account writes is one transaction
 * under the lock of its row, so it may be stopped anywhere and run twice at once. An account that fails does not hold up the
 * others.
 */
export function createWatchSpending({ database, log, batchMax = 100 }: WatchSpendingDeps) {
  const walk = createWalk<string>(batchMax);

  return async function watchSpending(nowMs: number, slice: TimeSlice = wholeSlice): Promise<number> {
    const untilMs = countedHourOf(await readWatermark(database), nowMs);
    await markAccounts(database, untilMs);
    let raised = 0;
    const accounts = walk(slice, ({ after: afterId = nilUuid, limit }) => {
      return watch.listAccountsToLookAt(database, { afterId, limit });
    });
    for await (const accountId of accounts) raised += await lookAt(accountId, nowMs, untilMs);
    return raised;
  };

  async function lookAt(accountId: string, nowMs: number, untilMs: number): Promise<number> {
    try {
      return await database.transaction(async (tx) => {
        const watched = await watch.lockWatched(tx, accountId);
        if (watched === undefined) return 0;
        const sinceMs = Math.max(watched.lookedUntilMs, untilMs - dayMs);
        const raised = await look(tx, { accountId, nowMs, untilMs, sinceMs });
        await watch.setLookedUntil(tx, accountId, Math.max(untilMs, watched.usedUntilMs));
        return raised;
      });
    } catch (error) {
      log.error({ account: accountId, err: error }, 'could not look at what an account spends; the next round does');
      return 0;
    }
  }
}

const batchTools = 1_000;

/** Marks whoever made calls since the last time, in the last day at most. A mark that is made again changes nothing. */
async function markAccounts(database: Database, untilMs: number): Promise<void> {
  const markedUntilMs = (await watch.readMarkedUntil(database)) ?? 0;
  if (markedUntilMs >= untilMs) return;
  const marking = { fromMs: Math.max(markedUntilMs, untilMs - dayMs), untilMs, limit: batchTools };
  for (let afterTool: string | null = ''; afterTool !== null;)
    afterTool = await watch.markAccountsOfTools(database, { ...marking, afterTool });
  await watch.moveMarkedUntil(database, untilMs);
}

async function look(tx: Transaction, at: Look): Promise<number> {
  const spending = await readSpendingInParts(tx, at);
  return (await warnOfBudget(tx, at, spending)) + (await warnOfAnomaly(tx, at, spending));
}

/** A budget that is spent already was told as spent. */
async function warnOfBudget(
  tx: Transaction,
  { accountId, nowMs }: Look,
  { account }: SpendingInParts,
): Promise<number> {
  const budgetMicros = await findMonthlyBudget(tx, accountId);
  if (budgetMicros === null) return 0;
  const { estimate, budgetEndsOn, ...forecast } = planForecast(account.history, budgetMicros);
  if (!estimate || estimate.expectedMicros <= budgetMicros || budgetEndsOn === null) return 0;
  if (forecast.spentMicros >= budgetMicros) return 0;
  const alert = { ...forecast, accountId, budgetMicros, estimate, budgetEndsOn, raisedAtMs: nowMs };
  return insertForecastAlert(tx, alert);
}

async function warnOfAnomaly(tx: Transaction, look: Look, { account, parts }: SpendingInParts): Promise<number> {
  const { accountId, sinceMs, nowMs } = look;
  const found = planAnomalies(account, parts, sinceMs);
  if (found.length === 0) return 0;
  const episodes = await listEpisodes(tx, accountId);
  const told = chooseTold(found, episodes);
  const isTold = (one: Anomaly) =>
    episodes.some(({ scope, scopeId }) => scope === one.scope && scopeId === one.scopeId);
  // An episode is of what was told: what goes on beside it has none, or it would keep a second pass from being told.
  await putEpisodes(
    tx,
    accountId,
    found.filter((one) => one === told || isTold(one)),
  );
  return told ? insertAnomalyAlert(tx, { ...told, accountId, raisedAtMs: nowMs }) : 0;
}
