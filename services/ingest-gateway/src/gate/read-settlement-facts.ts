import type { Transaction } from '@tollgate/database/database';
import { hourMs } from '@tollgate/kernel/durations';
import { hourOf, periodBounds, periodOf } from '@tollgate/kernel/period';
import type { CountedUsage } from '@tollgate/pricing/counted-usage';
import type { CapState, CapWish, HeldEvent } from './hold.ts';
import { findBudget, type Budget } from './sql-budget.ts';
import { listCaps } from './sql-cap-state.ts';
import { listExpiredHolds, readHeldEvents, readSettledMonths, readSettlementSeq } from './sql-settlement.ts';
import { listUsedTools, readPriceSpans, sumSpentUsage, type PriceSpan } from './sql-spent-usage.ts';
import { findHolds } from './sql-hold.ts';

export interface FactsQuery {
  readonly accountId: string;
  readonly nowMs: number;
  readonly watermarkMs: number;
  readonly wished: readonly CapWish[];
}

/** All of one moment. */
export interface SettlementFacts {
  readonly accountId: string;
  readonly nowMs: number;
  readonly seq: bigint;
  readonly budget: Budget | undefined;
  readonly caps: readonly CapState[];
  readonly prices: readonly PriceSpan[];
  /** Of whole months: those that events, caps and the present lie in. */
  readonly usage: readonly CountedUsage[];
  /** By the start of a wished day: the usage of its month before it. */
  readonly usageBefore: ReadonlyMap<number, readonly CountedUsage[]>;
  readonly periods: readonly string[];
  readonly events: readonly HeldEvent[];
  readonly settledMonths: ReadonlyMap<string, bigint>;
  /** Ids of live holds that the watermark has passed, with whether they were captured. */
  readonly expired: ReadonlyMap<string, boolean>;
}

export async function readSettlementFacts(tx: Transaction, query: FactsQuery): Promise<SettlementFacts> {
  const { accountId, nowMs, watermarkMs, wished } = query;
  const seq = await readSettlementSeq(tx, accountId);
  const events = await readHeldEvents(tx, accountId);
  const caps = await listCaps(tx, accountId);
  const prices = await readPriceSpans(tx, await listUsedTools(tx, accountId));
  const isLive = ({ endMs }: CapState): boolean => endMs > watermarkMs - 2 * 24 * hourMs;
  const moments = [
    nowMs,
    ...events.map((event) => event.occurredAtMs),
    ...[...caps.filter(isLive), ...wished].map(startOf),
  ];
  const periods = [...new Set(moments.filter(Number.isFinite).map(periodOf))].sort();
  const usage: CountedUsage[] = [];
  for (const period of periods) {
    const { start: fromMs, end: toMs } = periodBounds(period);
    usage.push(...(await sumSpentUsage(tx, { accountId, fromMs, toMs }, prices)));
  }
  const usageBefore = new Map<number, readonly CountedUsage[]>();
  for (const { startMs: toMs } of wished) {
    const fromMs = periodBounds(periodOf(toMs)).start;
    usageBefore.set(toMs, await sumSpentUsage(tx, { accountId, fromMs, toMs }, prices));
  }
  const budget = await findBudget(tx, accountId);
  const settledMonths = await readSettledMonths(tx, accountId);
  const expired = await readExpired(tx, accountId, watermarkMs);
  return { accountId, nowMs, seq, budget, caps, prices, usage, usageBefore, periods, events, settledMonths, expired };
}

/** Once the watermark has passed a hold's expiry, no event of it can be counted any more: the aggregator refuses it. */
async function readExpired(tx: Transaction, accountId: string, watermarkMs: number): Promise<Map<string, boolean>> {
  const holds = await findHolds(tx, await listExpiredHolds(tx, accountId, watermarkMs));
  return new Map(holds.map(({ holdId, state }) => [holdId, state === 'captured']));
}

function startOf({ startMs }: CapWish): number {
  return startMs;
}

export function priceAt(prices: readonly PriceSpan[], toolId: string, atMs: number): PriceSpan | undefined {
  const hour = hourOf(atMs);
  return prices.find((price) => price.toolId === toolId && price.startMs <= hour && hour < price.endMs);
}
