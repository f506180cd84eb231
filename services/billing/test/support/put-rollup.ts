import type { Database, Queryable } from '@tollgate/database/database';

export interface TestRollup {
  readonly consumerId: string;
  readonly tool: string;
  readonly hour: string;
  readonly success?: boolean;
  readonly passId?: string | undefined;
  readonly calls?: number;
  readonly durationMs?: bigint;
  readonly measures?: Readonly<Record<string, string>>;
}

const callsText = `insert into usage.rollup as kept values ($1, $2, $3, $4, $5, $6)
  on conflict (consumer_id, tool_id, hour, success)
  do update set calls = kept.calls + excluded.calls, duration_ms = kept.duration_ms + excluded.duration_ms`;
const measureText = `insert into usage.rollup_measure as kept values ($1, $2, $3, $4, $5, $6)
  on conflict (consumer_id, tool_id, hour, success, key) do update set total = trim_scale(kept.total + excluded.total)`;
const passCallsText = `insert into usage.pass_rollup as kept values ($1, $2, $3, $4, $5, $6, $7)
  on conflict (consumer_id, tool_id, hour, success, pass_id)
  do update set calls = kept.calls + excluded.calls, duration_ms = kept.duration_ms + excluded.duration_ms`;
const passMeasureText = `insert into usage.pass_rollup_measure as kept values ($1, $2, $3, $4, $5, $6, $7)
  on conflict (consumer_id, tool_id, hour, success, pass_id, key) do update set total = trim_scale(kept.total + excluded.total)`;

/** Adds to what is counted, as the aggregator does. */
export async function putRollup(owner: Queryable, rollup: TestRollup): Promise<void> {
  const { consumerId, tool, hour, success = true, passId, calls = 1, durationMs = 0n, measures = {} } = rollup;
  const key = [consumerId, tool, hour, success, ...(passId === undefined ? [] : [passId])];
  await owner.query(passId === undefined ? callsText : passCallsText, [...key, calls, String(durationMs)]);
  for (const [name, total] of Object.entries(measures))
    await owner.query(passId === undefined ? measureText : passMeasureText, [...key, name, total]);
  await putLateUsage(owner, rollup);
}

const lateText = `insert into usage.late_usage (consumer_id, tool_id, period)
  select $1, $2, $3 where exists (select from billing.closed_period where period >= $3)
  on conflict (consumer_id, tool_id, period) do update set counts = late_usage.counts + 1`;

/** Names usage late where its period is closed, as the aggregator does. */
async function putLateUsage(
  owner: Queryable,
  { consumerId, tool, hour }: Pick<TestRollup, 'consumerId' | 'tool' | 'hour'>,
): Promise<void> {
  await owner.query(lateText, [consumerId, tool, hour.slice(0, 7)]);
}

/** One partition that is counted through this time. */
export async function putWatermark(owner: Database, countedThrough: string): Promise<void> {
  await owner.query(`insert into usage.log_topic values ('usage.events.v1', 1) on conflict do nothing`);
  await owner.query(
    `insert into usage.cursor values ('usage.events.v1', 0, 7, $1)
     on conflict (topic, partition) do update set counted_through = excluded.counted_through`,
    [countedThrough],
  );
}
