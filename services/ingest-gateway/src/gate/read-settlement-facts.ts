import type { Transaction } from '@tollgate/database/database';
import { hourMs } from '@tollgate/kernel/durations';
import type { Micros } from '@tollgate/kernel/money';
import { hourOf, periodBounds, periodOf } from '@tollgate/kernel/period';
import type { CountedUsage } from '@tollgate/pricing/counted-usage';
import { capKeyOf, type CapState, type CapWish, type HeldEvent } from './hold.ts';
import { listCaps } from './sql-cap-state.ts';
import { findCappedPasses, listNewlyCapped } from './sql-pass-cap.ts';
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
  readonly caps: readonly CapState[];
  readonly prices: readonly PriceSpan[];
  /** Of whole months: those that events, caps and the present lie in. */
  readonly usage: readonly CountedUsage[];
  /** By the start of a wished day: the usage of its month before it. */
  readonly usageBefore: ReadonlyMap<number, readonly CountedUsage[]>;
  /** By the key of a pass's cap: the usage of the months of its window, without that of the pass in it. */
  readonly usageWithout: ReadonlyMap<string, UsageOfMonths>;
  /** The passes whose caps follow the rollups still. */
  readonly newlyCapped: ReadonlySet<string>;
  readonly periods: readonly string[];
  readonly events: readonly HeldEvent[];
  readonly settledMonths: ReadonlyMap<string, Micros>;
  /** Ids of live holds that the watermark has passed, with whether they were captured. */
  readonly expired: ReadonlyMap<string, boolean>;
}

export interface UsageOfMonths {
  readonly periods: readonly string[];
  readonly usage: readonly CountedUsage[];
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
    ...[...caps.filter(isLive), ...wished].filter(({ scope }) => scope === 'account').map(startOf),
    ...(caps.some(({ scope }) => scope === 'balance') ? [nowMs - 24 * hourMs] : []), // a call may be dated a day back
  ];
  const passes = await readPassSpans(tx, { ...query, caps });
  const monthsOfPasses = passes.spans.flatMap((span) => periodsOf(span));
  const months = [...moments.filter(Number.isFinite).map(periodOf), ...monthsOfPasses];
  const { usage, periods } = await readMonths(tx, { ...query, caps, prices, months });
  const usageWithout = new Map<string, UsageOfMonths>();
  for (const { key, passId, fromMs, toMs } of passes.spans) {
    const ofWindow = { periods: periodsOf({ fromMs, toMs }), usage: [] as CountedUsage[] };
    for (const period of ofWindow.periods) {
      const { start, end } = periodBounds(period);
      const span = { accountId, fromMs: start, toMs: end, without: { passId, fromMs, toMs } };
      ofWindow.usage.push(...(await sumSpentUsage(tx, span, prices)));
    }
    usageWithout.set(key, ofWindow);
  }
  const usageBefore = new Map<number, readonly CountedUsage[]>();
  for (const { startMs: toMs } of wished.filter(({ scope }) => scope === 'account')) {
    const fromMs = periodBounds(periodOf(toMs)).start;
    usageBefore.set(toMs, await sumSpentUsage(tx, { accountId, fromMs, toMs }, prices));
  }
  const settledMonths = await readSettledMonths(tx, accountId);
  const expired = await readExpired(tx, accountId, watermarkMs);
  const { newlyCapped } = passes;
  const counted = { usage, usageBefore, usageWithout, periods, events };
  return { accountId, nowMs, seq, caps, prices, ...counted, newlyCapped, settledMonths, expired };
}

interface MonthsQuery extends FactsQuery {
  readonly caps: readonly CapState[];
  readonly prices: readonly PriceSpan[];
  readonly months: readonly string[];
}

/** For the first row of a balance, all months that have usage. */
async function readMonths(tx: Transaction, query: MonthsQuery): Promise<UsageOfMonths> {
  const { accountId, wished, caps, prices, months } = query;
  const known = new Set(caps.map(capKeyOf));
  const isFirst = wished.some((cap) => cap.scope === 'balance' && !known.has(capKeyOf(cap)));
  const sorted = [...new Set(months)].sort();
  const bounds = sorted.map(periodBounds);
  const spans = isFirst ? [{ start: 0, end: bounds.at(-1)?.end ?? 0 }] : bounds;
  const usage: CountedUsage[] = [];
  for (const { start: fromMs, end: toMs } of spans)
    usage.push(...(await sumSpentUsage(tx, { accountId, fromMs, toMs }, prices)));
  return { usage, periods: [...new Set([...sorted, ...usage.map(({ period }) => period)])].sort() };
}

interface PassSpan {
  readonly key: string;
  readonly passId: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** The windows of passes whose spending is taken from the rollups: those without a row, and those of new caps. */
async function readPassSpans(tx: Transaction, query: FactsQuery & { readonly caps: readonly CapState[] }) {
  const { accountId, watermarkMs, wished, caps, nowMs } = query;
  const newly = await listNewlyCapped(tx, accountId, watermarkMs);
  const newlyCapped = new Set(newly.map(({ passId }) => passId));
  const ofPasses = [...wished, ...caps.filter(({ ownerId }) => newlyCapped.has(ownerId))];
  const wanted = ofPasses.filter(({ scope }) => scope === 'pass');
  const found = await findCappedPasses(tx, accountId, [...new Set(wanted.map(({ ownerId }) => ownerId))]);
  const createdAt = new Map(found.map(({ passId, createdAtMs }) => [passId, createdAtMs]));
  const spans = wanted.flatMap((cap): PassSpan[] => {
    const createdAtMs = createdAt.get(cap.ownerId);
    if (createdAtMs === undefined) return [];
    // A call may be dated a day back, and a gateway's clock may be ahead of ours.
    const fromMs = Math.max(cap.startMs, hourOf(createdAtMs) - 24 * hourMs);
    const toMs = Math.min(cap.endMs, hourOf(nowMs) + 24 * hourMs);
    return fromMs < toMs ? [{ key: capKeyOf(cap), passId: cap.ownerId, fromMs, toMs }] : [];
  });
  return { newlyCapped, spans };
}

function periodsOf({ fromMs, toMs }: { readonly fromMs: number; readonly toMs: number }): string[] {
  const periods: string[] = [];
  for (let atMs = fromMs; atMs < toMs; atMs = periodBounds(periodOf(atMs)).end) periods.push(periodOf(atMs));
  return periods;
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
