import { periodOf, type Bounds } from '@tollgate/kernel/period';
import type { Transaction } from '@tollgate/runtime/postgres/database';
import type { UsagePart } from '../domain/pricing/usage-part.ts';

/**
 * What these consumers used within these hours, by month, price version and outcome: what rating needs, and no more. Each
 * hour belongs to the version that was in force then. One statement, so calls and measures are of one moment.
 */
const text = `
with calls as (
  select r.consumer_id, p.price_id, r.success, date_trunc('month', r.hour, 'UTC') as month,
    sum(r.calls) as calls, sum(r.duration_ms) as duration_ms
  from usage.rollup_v1 r
  join billing.tool_price_v1 p on p.tool_id = r.tool_id and r.hour >= p.effective_from and r.hour < p.effective_to
  where r.consumer_id = any ($1::uuid[]) and r.hour >= $2 and r.hour < $3
  group by 1, 2, 3, 4
), measure as (
  select r.consumer_id, p.price_id, r.success, date_trunc('month', r.hour, 'UTC') as month, r.key, sum(r.total) as total
  from usage.rollup_measure_v1 r
  join billing.tool_price_v1 p on p.tool_id = r.tool_id and r.hour >= p.effective_from and r.hour < p.effective_to
  where r.consumer_id = any ($1::uuid[]) and r.hour >= $2 and r.hour < $3
  group by 1, 2, 3, 4, 5
), measures as (
  select consumer_id, price_id, success, month, jsonb_object_agg(key, trim_scale(total)::text) as measures
  from measure group by 1, 2, 3, 4
)
select consumer_id, price_id, success, month, calls::text, duration_ms::text, coalesce(measures, '{}') as measures
from calls left join measures using (consumer_id, price_id, success, month)`;

interface DbUsagePart {
  readonly consumer_id: string;
  readonly price_id: string;
  readonly success: boolean;
  readonly month: Date;
  readonly calls: string;
  readonly duration_ms: string;
  readonly measures: Record<string, string>;
}

export async function sumUsageParts(
  tx: Transaction,
  consumerIds: readonly string[],
  { start, end }: Bounds,
): Promise<UsagePart[]> {
  const rows = await tx.query<DbUsagePart>(text, [consumerIds, new Date(start), new Date(end)]);
  return rows.map(fromDbUsagePart);
}

function fromDbUsagePart(row: DbUsagePart): UsagePart {
  return {
    period: periodOf(row.month.getTime()),
    consumerId: row.consumer_id,
    priceId: row.price_id,
    success: row.success,
    calls: BigInt(row.calls),
    durationMs: BigInt(row.duration_ms),
    measures: new Map(Object.entries(row.measures)),
  };
}
