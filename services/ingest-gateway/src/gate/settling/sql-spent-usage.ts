import type { Price } from '@tollgate/contracts/tools/price';
import type { Transaction } from '@tollgate/database/database';
import { toIso } from '@tollgate/kernel/clock';
import type { CountedUsage } from '@tollgate/pricing/counted-usage';
import type { RatedPrice } from '@tollgate/pricing/rated-price';

export interface UsageSpan {
  readonly accountId: string;
  /** The versions of the tools that the account has called. */
  readonly prices: readonly PriceSpan[];
  /** A full hour each. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly without?: UsageOfPass | undefined;
}

/** The usage of a pass that is left out of a sum. */
export interface UsageOfPass {
  readonly passId: string;
  /** That of the passes that are parts of it, too. */
  readonly withParts: boolean;
  readonly fromMs: number;
  readonly toMs: number;
}

// One look into the primary key per tool, not one row per hour.
const toolsText = `with recursive tool as (
    select a.account_id, t.tool_id from unnest($1::uuid[]) as a (account_id) cross join lateral (
      select r.tool_id from usage.rollup_v1 r where r.consumer_id = a.account_id order by r.tool_id limit 1) t
    union all
    select t.account_id, next.tool_id from tool t cross join lateral (
      select r.tool_id from usage.rollup_v1 r where r.consumer_id = t.account_id and r.tool_id > t.tool_id
      order by r.tool_id limit 1) next
  ) select account_id, tool_id from tool`;

/** The tools of whose calls an account has any usage. */
export async function listUsedTools(tx: Transaction, accountIds: readonly string[]): Promise<Map<string, Set<string>>> {
  const statement = { name: 'gate.list_used_tools', text: toolsText };
  const rows = await tx.query<{ account_id: string; tool_id: string }>(statement, [accountIds]);
  const tools = new Map(accountIds.map((accountId) => [accountId, new Set<string>()]));
  for (const row of rows) tools.get(row.account_id)?.add(row.tool_id);
  return tools;
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
const rollupsOf = (rollup: string): string => `unnest($1::int[], $2::uuid[], $3::uuid[], $4::text[], $5::timestamptz[],
      $6::timestamptz[], $7::uuid[], $8::timestamptz[], $9::timestamptz[], $10::boolean[])
      as v (span, consumer_id, price_id, tool_id, start_at, end_at, without_pass, without_from, without_to, without_parts)
    join ${rollup} r on r.consumer_id = v.consumer_id and r.tool_id = v.tool_id
    and r.hour >= v.start_at and r.hour < v.end_at
    and not coalesce(r.hour >= v.without_from and r.hour < v.without_to and (r.pass_id = v.without_pass or v.without_parts and exists (
      select from gate.pass part where part.pass_id = r.pass_id and v.without_pass = any (part.ancestor_ids))), false)`;
const month = `to_char(r.hour at time zone 'UTC', 'YYYY-MM')`;
const sumText = `with calls as (
    select v.span, v.price_id, r.success, ${month} as period, sum(r.calls) as calls, sum(r.duration_ms) as duration_ms
    from ${rollupsOf('usage.rollup_v1')} group by 1, 2, 3, 4
  ), measure as (
    select v.span, v.price_id, r.success, ${month} as period, r.key, sum(r.total) as total
    from ${rollupsOf('usage.rollup_measure_v1')} group by 1, 2, 3, 4, 5
  ), measures as (
    select span, price_id, success, period, jsonb_object_agg(key, trim_scale(total)::text) as measures
    from measure group by 1, 2, 3, 4
  )
  select span, price_id, success, period, calls::text, duration_ms::text, measures
  from calls left join measures using (span, price_id, success, period)`;

interface SumRow {
  readonly span: number;
  readonly price_id: string;
  readonly success: boolean;
  readonly period: string;
  readonly calls: string;
  readonly duration_ms: string;
  readonly measures: Record<string, string> | null;
}

export interface UsageSums {
  /** Returns what gives the usage of the span by month, price version and outcome, once `read` has ended. */
  ask(span: UsageSpan): () => readonly CountedUsage[];
  read(tx: Transaction): Promise<void>;
}

/** Gathers spans, so that one statement sums all of them. */
export function createUsageSums(): UsageSums {
  const spans: UsageSpan[] = [];
  let sums: readonly CountedUsage[][] = [];
  return {
    ask(span) {
      const index = spans.push(span) - 1;
      return () => sums[index] ?? [];
    },
    async read(tx) {
      sums = await sumSpentUsage(tx, spans);
    },
  };
}

/** All usage of an account in each of the spans, by month, price version and outcome. */
async function sumSpentUsage(tx: Transaction, spans: readonly UsageSpan[]): Promise<CountedUsage[][]> {
  const sums = spans.map((): CountedUsage[] => []);
  const asked = spans.flatMap(({ accountId, fromMs, toMs, prices, without }, span) =>
    prices
      .map((price) => ({ ...price, startMs: Math.max(price.startMs, fromMs), endMs: Math.min(price.endMs, toMs) }))
      .filter(({ startMs, endMs }) => startMs < endMs)
      .map((price) => ({ ...price, span, accountId, without })),
  );
  if (asked.length === 0) return sums;
  const rows = await tx.query<SumRow>({ name: 'gate.sum_spent_usage', text: sumText }, [
    asked.map(({ span }) => span),
    asked.map(({ accountId }) => accountId),
    asked.map(({ priceId }) => priceId),
    asked.map(({ toolId }) => toolId),
    asked.map(({ startMs }) => toIso(startMs)),
    asked.map(({ endMs }) => toIso(endMs)),
    asked.map(({ without }) => without?.passId ?? null),
    asked.map(({ without }) => (without === undefined ? null : toIso(without.fromMs))),
    asked.map(({ without }) => (without === undefined ? null : toIso(without.toMs))),
    asked.map(({ without }) => without?.withParts ?? false),
  ]);
  for (const row of rows)
    sums[row.span]?.push({
      period: row.period,
      consumerId: spans[row.span]?.accountId ?? '',
      priceId: row.price_id,
      success: row.success,
      calls: BigInt(row.calls),
      durationMs: BigInt(row.duration_ms),
      measures: new Map(Object.entries(row.measures ?? {})),
    });
  return sums;
}
