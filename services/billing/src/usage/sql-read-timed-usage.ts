import { periodOf } from '@tollgate/kernel/period';
import type { Transaction } from '@tollgate/database/database';
import type { TimedUsage } from '@tollgate/pricing/rate-over-time';
import { isUsuallyShort, type Granularity, type UsageRole } from './usage-row.ts';
import { callsOfRole, fetchInBatches, priceInForce, versionsOf } from './sql-fetch-in-batches.ts';

export interface TimedUsageQuery {
  readonly accountId: string;
  readonly role: UsageRole;
  readonly toolId?: string | undefined;
  /** In the month of `fromMs`, or equal to it. Usage in [sinceMs, fromMs) is one span, which starts at -Infinity. */
  readonly sinceMs: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly granularity: Granularity;
  /** Divides each span by pass, but not what lies before `fromMs`. */
  readonly byPass?: boolean;
}

/**
 * Sums usage by consumer, price version, span and outcome. The database adds up the hours, so the result grows with the
 * rows of the answer and not with the hours. Each hour belongs to the version in force then.
 *
 * The order keeps all usage of a line together. A cursor reads it in batches: 10,000 consumers by the hour would be
 * millions of rows, too many to hold.
 */
const textFor = ({ role, byPass = false }: TimedUsageQuery): string => {
  const pass = byPass ? ', pass' : '';
  const dimensions = dimensionsOf(byPass);
  return `
with version as materialized (
  ${versionsOf(toolsOf[role])}
), calls as (
  select ${dimensions}, sum(r.calls) as calls, sum(r.duration_ms) as duration_ms
  from usage.rollup_v1 r join version v using (tool_id)
  where ${whereText(role)}
  group by consumer_id, price_id, start_at, success${pass}
), measure as (
  select ${dimensions}, r.key, sum(r.total) as total
  from usage.rollup_measure_v1 r join version v using (tool_id)
  where ${whereText(role)}
  group by consumer_id, price_id, start_at, success${pass}, key
), measures as (
  select consumer_id, price_id, start_at, success${pass}, jsonb_object_agg(key, trim_scale(total)::text) as measures
  from measure
  group by consumer_id, price_id, start_at, success${pass}
)
select consumer_id, price_id, start_at, success${pass}, calls::text, duration_ms::text, measures
from calls left join measures using (consumer_id, price_id, start_at, success${pass})
order by consumer_id, price_id, start_at`;
};

const noPass = '00000000-0000-0000-0000-000000000000';

const dimensionsOf = (byPass: boolean): string => `
    r.consumer_id, ${priceInForce('v', 'r.hour')} as price_id, r.success,
    case when r.hour < $3 then '-infinity' else date_trunc($5, r.hour, 'UTC') end as start_at${
      byPass ? `, coalesce(case when r.hour >= $3 then r.pass_id end, '${noPass}') as pass` : ''
    }`;

/** The tools whose price versions the rollups may need. */
const toolsOf: Record<UsageRole, string> = {
  consumer:
    'select distinct r.tool_id from usage.rollup_v1 r where r.consumer_id = $1 and r.hour >= $2 and r.hour < $4',
  builder: 'select d.tool_id from billing.tool_directory_v1 d where d.owner_id = $1',
};

const whereText = (role: UsageRole): string =>
  `${callsOfRole[role]} and r.hour >= $2 and r.hour < $4 and ($6::text is null or r.tool_id = $6)`;

interface DbTimedUsage {
  readonly consumer_id: string;
  readonly price_id: string;
  readonly start_at: Date | number; // -Infinity: before the first row of the answer
  readonly success: boolean;
  readonly pass?: string; // where spans are divided by pass
  readonly calls: string;
  readonly duration_ms: string;
  readonly measures: Record<string, string> | null; // null: no call had a measure
}

/** Grouping a batch by lines keeps the process from other work: each row has up to eight lines. */
const batchRows = 100;

/** Reads usage in batches. All usage of a line is in one batch. */
export async function* readTimedUsage(tx: Transaction, query: TimedUsageQuery): AsyncGenerator<TimedUsage[]> {
  const { accountId, toolId = null, sinceMs, fromMs, toMs, granularity } = query;
  const bounds = [sinceMs, fromMs, toMs].map((ms) => new Date(ms));
  const values = [accountId, ...bounds, granularity, toolId];
  let unsent: TimedUsage[] = [];
  const name = `billing.read_timed_usage${query.byPass === true ? '_by_pass' : ''}`;
  const fetching = {
    text: textFor(query),
    values,
    batchRows,
    usuallyShortAs: isUsuallyShort(query, batchRows) ? name : undefined,
  };
  for await (const rows of fetchInBatches<DbTimedUsage>(tx, fetching)) {
    unsent = [...unsent, ...rows.map((row) => fromDbTimedUsage(row, fromMs))];
    const whole = unsent.findLastIndex((usage) => !isOfOneLine(usage, unsent.at(-1))) + 1;
    if (whole > 0) yield unsent.slice(0, whole);
    unsent = unsent.slice(whole);
  }
  yield unsent;
}

function isOfOneLine(usage: TimedUsage, last: TimedUsage | undefined): boolean {
  return usage.consumerId === last?.consumerId && usage.priceId === last.priceId && usage.period === last.period;
}

function fromDbTimedUsage(row: DbTimedUsage, fromMs: number): TimedUsage {
  const startMs = Number(row.start_at);
  return {
    period: periodOf(Number.isFinite(startMs) ? startMs : fromMs), // hours, days and months each lie in one period
    startMs,
    passId: row.pass === noPass ? undefined : row.pass,
    consumerId: row.consumer_id,
    priceId: row.price_id,
    success: row.success,
    calls: BigInt(row.calls),
    durationMs: BigInt(row.duration_ms),
    measures: new Map(Object.entries(row.measures ?? {})),
  };
}
