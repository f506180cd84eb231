import { toIso } from '@tollgate/kernel/clock';
import { hourMs } from '@tollgate/kernel/durations';
import type { Database } from '@tollgate/database/database';

const callsText = `
insert into usage.rollup (consumer_id, tool_id, hour, success, calls, duration_ms)
select $1, $2, hour, true, $5, 0 from generate_series($3::timestamptz, $4::timestamptz - interval '1 hour', interval '1 hour') as hour
on conflict (consumer_id, tool_id, hour, success) do update set calls = rollup.calls + excluded.calls`;
const passCallsText = `
insert into usage.pass_rollup (consumer_id, tool_id, hour, success, pass_id, calls, duration_ms)
select $1, $2, hour, true, $6, $5, 0 from generate_series($3::timestamptz, $4::timestamptz - interval '1 hour', interval '1 hour') as hour
on conflict (consumer_id, tool_id, hour, success, pass_id) do update set calls = pass_rollup.calls + excluded.calls`;

export interface Calling {
  readonly accountId: string;
  readonly tool: string;
  readonly passId?: string;
  readonly untilMs: number;
  readonly hours: number;
  /** In each of the hours. */
  readonly calls: number;
}

/** Counts as many calls in each hour before a time. */
export async function callHourly(owner: Database, calling: Calling): Promise<void> {
  const { accountId, tool, passId, untilMs, hours, calls } = calling;
  const values = [accountId, tool, toIso(untilMs - hours * hourMs), toIso(untilMs), calls];
  if (passId === undefined) await owner.query(callsText, values);
  else await owner.query(passCallsText, [...values, passId]);
}

export async function putBudget(owner: Database, accountId: string, usd: number, window = 'month'): Promise<void> {
  const text = `insert into gate.budget (account_id, amount_micros, window_kind, alerts, changed_at) values ($1, $2, $3, '{}', now())
    on conflict (account_id) do update set amount_micros = excluded.amount_micros, window_kind = excluded.window_kind`;
  await owner.query(text, [accountId, usd * 1_000_000, window]);
}

/** Looks at no account again that was looked at, and forgets what was told. */
export async function forgetSpending(owner: Database): Promise<void> {
  const tables = ['spending_marks', 'spending_watch', 'forecast_alert', 'spending_episode', 'anomaly_alert', 'outbox'];
  await owner.query(`truncate ${tables.map((table) => `billing.${table}`).join(', ')}`);
}
