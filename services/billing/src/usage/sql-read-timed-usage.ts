import { periodOf } from '@tollgate/kernel/period';
import type { Transaction } from '@tollgate/database/database';
import type { TimedUsage } from '@tollgate/pricing/rate-over-time';
import type { Granularity, UsageRole } from './usage-query.ts';
import { callsOfRole } from './sql-calls-of-role.ts';

export interface TimedUsageQuery {
  readonly accountId: string;
  readonly role: UsageRole;
  readonly toolId?: string | undefined;
  /** In the month of `fromMs`, or equal to it: what lies in [sinceMs, fromMs) is one span, which starts at -Infinity. */
  readonly sinceMs: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly granularity: Granularity;
}

/**
 * Usage by consumer, price version and outcome: hours are added up in the database, so what comes out grows with
 * the rows asked for, never with the hours behind them. Each hour belongs to the version that was in force then.
 * Ordered, so that all usage of a line stands together. Read through a cursor: 10,000 consumers in hourly rows would be
 * millions of rows, and only a batch of them is ever held.
 */
const textFor = (role: UsageRole): string => `
declare timed_usage no scroll cursor for
with calls as (
  select ${dimensions}, sum(r.calls) as calls, sum(r.duration_ms) as duration_ms
  from usage.rollup_v1 r ${inForce}
  where ${asked(role)}
  group by consumer_id, price_id, start_at, success
), measure as (
  select ${dimensions}, r.key, sum(r.total) as total
  from usage.rollup_measure_v1 r ${inForce}
  where ${asked(role)}
  group by consumer_id, price_id, start_at, success, key
), measures as (
  select consumer_id, price_id, start_at, success, jsonb_object_agg(key, trim_scale(total)::text) as measures
  from measure
  group by consumer_id, price_id, start_at, success
)
select consumer_id, price_id, start_at, success, calls::text, duration_ms::text, measures
from calls left join measures using (consumer_id, price_id, start_at, success)
order by consumer_id, price_id`;

const dimensions = `
    r.consumer_id, p.price_id, r.success,
    case when r.hour < $3 then '-infinity' else date_trunc($5, r.hour, 'UTC') end as start_at`;

const inForce = `
  join billing.tool_price_v1 p on p.tool_id = r.tool_id and r.hour >= p.effective_from and r.hour < p.effective_to`;

const asked = (role: UsageRole): string =>
  `${callsOfRole[role]} and r.hour >= $2 and r.hour < $4 and ($6::text is null or r.tool_id = $6)`;

interface DbTimedUsage {
  readonly consumer_id: string;
  readonly price_id: string;
  readonly start_at: Date | number; // -Infinity before the first row
  readonly success: boolean;
  readonly calls: string;
  readonly duration_ms: string;
  readonly measures: Record<string, string> | null; // no call had any
}

const batchRowsMax = 5_000;

/** In batches, none of which divides the usage of one line. */
export async function* readTimedUsage(tx: Transaction, query: TimedUsageQuery): AsyncGenerator<TimedUsage[]> {
  const { accountId, role, toolId = null, sinceMs, fromMs, toMs, granularity } = query;
  // All of them will be read: the plan must be the one that ends first, not the one that begins first.
  await tx.query(`select set_config('cursor_tuple_fraction', '1', true)`);
  const bounds = [sinceMs, fromMs, toMs].map((ms) => new Date(ms));
  await tx.query(textFor(role), [accountId, ...bounds, granularity, toolId]);
  let held: DbTimedUsage[] = [];
  for (;;) {
    const rows = await tx.query<DbTimedUsage>(`fetch forward ${batchRowsMax} from timed_usage`);
    held = [...held, ...rows];
    if (rows.length < batchRowsMax) break;
    const whole = held.findLastIndex((row) => !isOfOneLine(row, held.at(-1))) + 1;
    yield held.slice(0, whole).map((row) => fromDbTimedUsage(row, fromMs));
    held = held.slice(whole);
  }
  yield held.map((row) => fromDbTimedUsage(row, fromMs));
  await tx.query('close timed_usage');
}

function isOfOneLine(row: DbTimedUsage, last: DbTimedUsage | undefined): boolean {
  return row.consumer_id === last?.consumer_id && row.price_id === last.price_id;
}

function fromDbTimedUsage(row: DbTimedUsage, fromMs: number): TimedUsage {
  const startMs = Number(row.start_at);
  return {
    period: periodOf(Number.isFinite(startMs) ? startMs : fromMs), // hours, days and months each lie in one period
    startMs,
    consumerId: row.consumer_id,
    priceId: row.price_id,
    success: row.success,
    calls: BigInt(row.calls),
    durationMs: BigInt(row.duration_ms),
    measures: new Map(Object.entries(row.measures ?? {})),
  };
}
