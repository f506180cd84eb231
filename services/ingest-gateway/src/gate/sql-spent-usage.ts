import type { Price } from '@tollgate/contracts/price';
import type { Transaction } from '@tollgate/database/database';
import { toIso } from '@tollgate/kernel/clock';
import type { CountedUsage } from '@tollgate/pricing/counted-usage';
import type { RatedPrice } from '@tollgate/pricing/rated-price';

export interface UsageSpan {
  readonly accountId: string;
  /** A full hour each. */
  readonly fromMs: number;
  readonly toMs: number;
  /** The usage of this pass in this span is left out. */
  readonly without?: { readonly passId: string; readonly fromMs: number; readonly toMs: number } | undefined;
}

// One look into the primary key per tool, not one row per hour.
const toolsText = `with recursive tool as (
    (select tool_id from usage.rollup_v1 where consumer_id = $1 order by tool_id limit 1)
    union all
    select (select r.tool_id from usage.rollup_v1 r where r.consumer_id = $1 and r.tool_id > t.tool_id order by r.tool_id limit 1)
    from tool t where t.tool_id is not null
  ) select tool_id from tool where tool_id is not null`;

export async function listUsedTools(tx: Transaction, accountId: string): Promise<string[]> {
  const rows = await tx.query<{ tool_id: string }>({ name: 'gate.list_used_tools', text: toolsText }, [accountId]);
  return rows.map((row) => row.tool_id);
}

interface VersionRow {
  readonly price_id: string;
  readonly tool_id: string;
  readonly owner_id: string;
  /** Epoch ms; -Infinity for the first version. */
  readonly start_ms: number;
  readonly end_ms: number;
  readonly price: Price; // the catalogue stores only normalised prices
}

const versionsText = `select p.price_id, p.tool_id, t.owner_id, p.price,
    (extract(epoch from p.effective_from) * 1000)::float8 as start_ms,
    (extract(epoch from p.effective_to) * 1000)::float8 as end_ms
  from billing.tool_price_v1 p join billing.tool_directory_v1 t using (tool_id) where p.tool_id = any ($1::text[])`;

export interface PriceSpan extends RatedPrice {
  readonly startMs: number;
  readonly endMs: number;
}

export async function readPriceSpans(tx: Transaction, toolIds: readonly string[]): Promise<PriceSpan[]> {
  const rows = await tx.query<VersionRow>({ name: 'gate.read_price_spans', text: versionsText }, [toolIds]);
  return rows.map((row) => ({
    priceId: row.price_id,
    toolId: row.tool_id,
    builderId: row.owner_id,
    effectiveFromMs: Number.isFinite(row.start_ms) ? row.start_ms : null,
    price: row.price,
    startMs: row.start_ms,
    endMs: row.end_ms,
  }));
}

// As invoices sum it: each hour belongs to the price version in force then.
const spans = `unnest($2::uuid[], $3::text[], $4::timestamptz[], $5::timestamptz[]) as v (price_id, tool_id, start_at, end_at)`;
const rollupsOf = (rollup: string): string => `${spans} join ${rollup} r on r.consumer_id = $1 and r.tool_id = v.tool_id
    and r.hour >= v.start_at and r.hour < v.end_at
    and not coalesce(r.pass_id = $6 and r.hour >= $7 and r.hour < $8, false)`;
const month = `to_char(r.hour at time zone 'UTC', 'YYYY-MM')`;
const sumText = `with calls as (
    select v.price_id, r.success, ${month} as period, sum(r.calls) as calls, sum(r.duration_ms) as duration_ms
    from ${rollupsOf('usage.rollup_v1')} group by 1, 2, 3
  ), measure as (
    select v.price_id, r.success, ${month} as period, r.key, sum(r.total) as total
    from ${rollupsOf('usage.rollup_measure_v1')} group by 1, 2, 3, 4
  ), measures as (
    select price_id, success, period, jsonb_object_agg(key, trim_scale(total)::text) as measures from measure group by 1, 2, 3
  )
  select price_id, success, period, calls::text, duration_ms::text, measures
  from calls left join measures using (price_id, success, period)`;

interface SumRow {
  readonly price_id: string;
  readonly success: boolean;
  readonly period: string;
  readonly calls: string;
  readonly duration_ms: string;
  readonly measures: Record<string, string> | null;
}

/** All usage of an account in a span, by month, price version and outcome. */
export async function sumSpentUsage(
  tx: Transaction,
  { accountId, fromMs, toMs, without }: UsageSpan,
  prices: readonly PriceSpan[],
): Promise<CountedUsage[]> {
  const within = prices
    .map((price) => ({ ...price, startMs: Math.max(price.startMs, fromMs), endMs: Math.min(price.endMs, toMs) }))
    .filter(({ startMs, endMs }) => startMs < endMs);
  if (within.length === 0) return [];
  const rows = await tx.query<SumRow>({ name: 'gate.sum_spent_usage', text: sumText }, [
    accountId,
    within.map(({ priceId }) => priceId),
    within.map(({ toolId }) => toolId),
    within.map(({ startMs }) => toIso(startMs)),
    within.map(({ endMs }) => toIso(endMs)),
    without?.passId,
    without && toIso(without.fromMs),
    without && toIso(without.toMs),
  ]);
  return rows.map((row) => ({
    period: row.period,
    consumerId: accountId,
    priceId: row.price_id,
    success: row.success,
    calls: BigInt(row.calls),
    durationMs: BigInt(row.duration_ms),
    measures: new Map(Object.entries(row.measures ?? {})),
  }));
}
