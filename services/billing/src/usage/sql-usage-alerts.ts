import { toIso } from '@tollgate/kernel/clock';
import { onlyRow, type Queryable } from '@tollgate/database/database';
import type { PageQuery, ListPage } from '../catalogue/catalogue.ts';

/** A consumer called a tool far more within 24 hours than in the days before. */
export interface UsageAlert {
  readonly id: string;
  readonly consumerId: string;
  readonly toolId: string;
  readonly day: string;
  readonly calls: string;
  /** Per day, in the 28 days before. */
  readonly usualCalls: string;
  readonly raisedAtMs: number;
}

export interface UsageAlertQuery {
  /** The end of the 24 hours, on a full hour. */
  readonly untilMs: number;
  readonly nowMs: number;
  /** Fewer calls raise no alert. */
  readonly callsMin: number;
  /** So many times the usual calls raise one. */
  readonly factor: number;
  readonly afterTool: string;
  readonly limit: number;
}

// Per tool, the index by (tool_id, hour) has the last day; only what is large there is compared with the days before. Calls
// of one's own tool are free.
const raiseText = `
with tool as (
  select tool_id, owner_id from billing.tool_directory_v1 where tool_id > $1 order by tool_id limit $2
), recent as (
  select t.tool_id, r.consumer_id, sum(r.calls) as calls
  from tool t join usage.rollup_v1 r on r.tool_id = t.tool_id
    and r.hour >= $3::timestamptz - interval '24 hours' and r.hour < $3 and r.consumer_id <> t.owner_id
  group by 1, 2 having sum(r.calls) >= $5
), compared as (
  select n.*, (select coalesce(sum(b.calls), 0) / 28 from usage.rollup_v1 b
    where b.consumer_id = n.consumer_id and b.tool_id = n.tool_id
      and b.hour >= $3::timestamptz - interval '29 days' and b.hour < $3::timestamptz - interval '24 hours') as usual
  from recent n
), raised as (
  insert into billing.usage_alert (consumer_id, tool_id, day, calls, usual_calls, raised_at)
  select consumer_id, tool_id, ($3::timestamptz at time zone 'UTC')::date, calls, round(usual, 2), $4 from compared
  where calls >= $6 * usual
  on conflict do nothing returning *
)
select (select max(tool_id) from tool) as last_tool, (select coalesce(jsonb_agg(jsonb_build_object(
  'account', consumer_id, 'tool', tool_id, 'calls', calls::text, 'usual_calls', usual_calls::text)), '[]') from raised) as raised`;

export interface RaisedAlerts {
  /** Null if no tool was left. */
  readonly lastTool: string | null;
  /** For the log. */
  readonly raised: readonly object[];
}

/** Raises the alerts of the next tools, each once a day. Safe to repeat, and to run twice at once. */
export async function raiseAlertsOfTools(db: Queryable, query: UsageAlertQuery): Promise<RaisedAlerts> {
  const { afterTool, limit, untilMs, nowMs, callsMin, factor } = query;
  const values = [afterTool, limit, toIso(untilMs), toIso(nowMs), callsMin, factor];
  const statement = { name: 'billing.raise_usage_alerts', text: raiseText };
  const row = onlyRow(await db.query<{ last_tool: string | null; raised: object[] }>(statement, values));
  return { lastTool: row.last_tool, raised: row.raised };
}

const pageText = `
select alert_id, consumer_id, tool_id, day::text, calls::text, usual_calls::text, raised_at from billing.usage_alert
where $1::timestamptz is null or (raised_at, alert_id) < ($1, $2::uuid)
order by raised_at desc, alert_id desc limit $3`;

const totalText = 'select count(*)::int as total from billing.usage_alert';

/** Lists all alerts, newest first by (raised_at, id). */
export async function listUsageAlerts(db: Queryable, { after, limit }: PageQuery): Promise<ListPage<UsageAlert>> {
  const values = [after ? toIso(after.createdAtMs) : null, after?.id ?? null, limit + 1];
  const rows = await db.query<DbUsageAlert>({ name: 'billing.list_usage_alerts', text: pageText }, values);
  const { total } = onlyRow(await db.query<{ total: number }>(totalText));
  return { rows: rows.map(fromDbUsageAlert), total };
}

const recentText = `select count(*)::int as alerts from billing.usage_alert where raised_at > $1`;

export async function countUsageAlertsSince(db: Queryable, sinceMs: number): Promise<number> {
  const statement = { name: 'billing.count_usage_alerts', text: recentText };
  return onlyRow(await db.query<{ alerts: number }>(statement, [toIso(sinceMs)])).alerts;
}

interface DbUsageAlert {
  readonly alert_id: string;
  readonly consumer_id: string;
  readonly tool_id: string;
  readonly day: string;
  readonly calls: string;
  readonly usual_calls: string;
  readonly raised_at: Date;
}

function fromDbUsageAlert(row: DbUsageAlert): UsageAlert {
  const { alert_id: id, consumer_id: consumerId, tool_id: toolId, day, calls } = row;
  return { id, consumerId, toolId, day, calls, usualCalls: row.usual_calls, raisedAtMs: row.raised_at.getTime() };
}
