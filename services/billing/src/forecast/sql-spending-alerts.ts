import { toIso } from '@tollgate/kernel/clock';
import { dateOf } from '@tollgate/kernel/period';
import type { Micros } from '@tollgate/kernel/money';
import type { Transaction } from '@tollgate/database/database';
import type { Anomaly, AnomalyScope } from './plan-anomalies.ts';
import type { Estimate, MonthForecast } from './plan-forecast.ts';
import type { Episode } from './plan-told.ts';

export interface ForecastAlert extends MonthForecast {
  readonly accountId: string;
  readonly budgetMicros: Micros;
  readonly estimate: Estimate;
  readonly budgetEndsOn: string;
  readonly raisedAtMs: number;
}

const forecastText = `
insert into billing.forecast_alert (account_id, period, budget_micros, through, spent_micros, expected_micros, low_micros,
  high_micros, budget_ends_on, history_days, raised_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict do nothing returning true as is_new`;

/** Raises an alert, once per account, month and budget; it is told with the commit. Returns how many are new. */
export async function insertForecastAlert(tx: Transaction, alert: ForecastAlert): Promise<number> {
  const { accountId, period, budgetMicros, throughMs, spentMicros, estimate, budgetEndsOn } = alert;
  const amounts = [spentMicros, estimate.expectedMicros, estimate.lowMicros, estimate.highMicros].map(String);
  const key = [accountId, period, budgetMicros.toString()];
  const values = [...key, toIso(throughMs), ...amounts, budgetEndsOn, alert.historyDays, toIso(alert.raisedAtMs)];
  return (await tx.query({ name: 'billing.insert_forecast_alert', text: forecastText }, values)).length;
}

const episodesText = `select scope, scope_id, last_at from billing.spending_episode where account_id = $1`;

export async function listEpisodes(tx: Transaction, accountId: string): Promise<Episode[]> {
  const statement = { name: 'billing.list_spending_episodes', text: episodesText };
  const rows = await tx.query<{ scope: AnomalyScope; scope_id: string; last_at: Date }>(statement, [accountId]);
  return rows.map((row) => ({ scope: row.scope, scopeId: row.scope_id, lastMs: row.last_at.getTime() }));
}

const lastText = `
insert into billing.spending_episode as e (account_id, scope, scope_id, last_at)
select $1, t.* from unnest($2::text[], $3::text[], $4::timestamptz[]) as t
on conflict (account_id, scope, scope_id) do update set last_at = greatest(e.last_at, excluded.last_at)`;

/** Begins the episodes of what was found, or lets them last. */
export async function putEpisodes(tx: Transaction, accountId: string, found: readonly Anomaly[]): Promise<void> {
  const columns = [found.map(({ scope }) => scope), found.map(({ scopeId }) => scopeId)];
  const values = [accountId, ...columns, found.map(({ toMs }) => toIso(toMs))];
  await tx.query({ name: 'billing.put_spending_episodes', text: lastText }, values);
}

export interface AnomalyAlert extends Anomaly {
  readonly accountId: string;
  readonly raisedAtMs: number;
}

const anomalyText = `
insert into billing.anomaly_alert (account_id, scope, scope_id, window_kind, from_at, to_at, day, spent_micros, usual_micros,
  raised_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict (account_id, day) do nothing returning true as is_new`;

/** Raises an alert, at most one a day of an account; it is told with the commit. Returns how many are new. */
export async function insertAnomalyAlert(tx: Transaction, alert: AnomalyAlert): Promise<number> {
  const { accountId, scope, scopeId, window, fromMs, toMs, spentMicros, usualMicros, raisedAtMs } = alert;
  const subject = [accountId, scope, scopeId, window];
  const times = [toIso(fromMs), toIso(toMs), dateOf(toMs - 1)];
  const values = [...subject, ...times, spentMicros.toString(), usualMicros.toString(), toIso(raisedAtMs)];
  return (await tx.query({ name: 'billing.insert_anomaly_alert', text: anomalyText }, values)).length;
}
