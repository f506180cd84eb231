import { toIso } from '@tollgate/kernel/clock';
import { periodOf } from '@tollgate/kernel/period';
import type { Queryable, Transaction } from '@tollgate/database/database';
import type { AutoTopUp, AutoTopUpSettings } from './credit.ts';

const read = `
select a.account_id, a.below_cents, a.amount_cents, a.monthly_max_cents, a.failures, a.failure_code, a.retry_at,
  coalesce((select m.ordered_cents from billing.auto_top_up_month m
    where m.account_id = a.account_id and m.period = $2), 0) as ordered_cents
from billing.auto_top_up a`;

const findText = `${read} where a.account_id = $1`;

interface AutoTopUpAt {
  readonly accountId: string;
  readonly nowMs: number;
}

/** The setting of an account, with what was topped up this month. */
export async function findAutoTopUp(db: Queryable, { accountId, nowMs }: AutoTopUpAt): Promise<AutoTopUp | undefined> {
  const statement = { name: 'billing.find_auto_top_up', text: findText };
  const [row] = await db.query<DbAutoTopUp>(statement, [accountId, periodOf(nowMs)]);
  return row && fromDbAutoTopUp(row);
}

/** Locks the setting of an account. Undefined if there is none any more, or another process has it. */
export async function lockAutoTopUp(
  tx: Transaction,
  { accountId, nowMs }: AutoTopUpAt,
): Promise<AutoTopUp | undefined> {
  const statement = { name: 'billing.lock_auto_top_up', text: `${findText} for no key update of a skip locked` };
  const [row] = await tx.query<DbAutoTopUp>(statement, [accountId, periodOf(nowMs)]);
  return row && fromDbAutoTopUp(row);
}

const putText = `
insert into billing.auto_top_up (account_id, below_cents, amount_cents, monthly_max_cents, changed_at)
values ($1, $2, $3, $4, $5)
on conflict (account_id) do update set below_cents = excluded.below_cents, amount_cents = excluded.amount_cents,
  monthly_max_cents = excluded.monthly_max_cents, changed_at = excluded.changed_at, failures = 0, failure_code = null, retry_at = null`;

/** Sets what an account wants, and forgets its failures. */
export async function putAutoTopUp(tx: Transaction, set: AutoTopUpAt & AutoTopUpSettings): Promise<void> {
  const { accountId, belowCents, amountCents, monthlyMaxCents, nowMs } = set;
  const values = [accountId, String(belowCents), String(amountCents), String(monthlyMaxCents), toIso(nowMs)];
  await tx.query({ name: 'billing.put_auto_top_up', text: putText }, values);
}

const deleteText = `delete from billing.auto_top_up where account_id = $1 returning account_id`;

/** Returns whether there was a setting. */
export async function deleteAutoTopUp(tx: Transaction, accountId: string): Promise<boolean> {
  return (await tx.query({ name: 'billing.delete_auto_top_up', text: deleteText }, [accountId])).length > 0;
}

const dueText = `
select a.account_id from billing.auto_top_up a
where a.account_id > $2 and (a.retry_at is null or a.retry_at <= $1) and not exists (
  select from billing.top_up t where t.account_id = a.account_id and t.is_automatic and t.status = 'pending')
order by a.account_id limit $3`;

export interface DueAutoTopUps {
  readonly nowMs: number;
  readonly afterId: string;
  readonly limit: number;
}

/** Lists accounts whose balance may be topped up now, ordered by id: none that waits, or has one under way. */
export async function listAutoTopUps(db: Queryable, { nowMs, afterId, limit }: DueAutoTopUps): Promise<string[]> {
  const statement = { name: 'billing.list_auto_top_ups', text: dueText };
  const rows = await db.query<{ account_id: string }>(statement, [toIso(nowMs), afterId, limit]);
  return rows.map(({ account_id: id }) => id);
}

const failuresText = `
update billing.auto_top_up set failures = $2, failure_code = $3, retry_at = $4 where account_id = $1`;

export interface AutoTopUpFailures extends Pick<AutoTopUp, 'accountId' | 'failures' | 'failureCode' | 'retryAtMs'> {}

export async function setAutoTopUpFailures(tx: Transaction, of: AutoTopUpFailures): Promise<void> {
  const { accountId, failures, failureCode, retryAtMs } = of;
  const values = [accountId, failures, failureCode, retryAtMs === null ? null : toIso(retryAtMs)];
  await tx.query({ name: 'billing.set_auto_top_up_failures', text: failuresText }, values);
}

const alertText = `
insert into billing.balance_alert (type, account_id, period, place, failure_code, cap_cents, spent_cents, raised_at)
values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing returning alert_id`;

export interface BalanceAlert {
  readonly type: 'auto_top_up.failed' | 'auto_top_up.limit_reached';
  readonly of: AutoTopUp;
  readonly raisedAtMs: number;
}

/** Raises an alert. The limit of a month raises one alert; returns whether this one is new. */
export async function raiseBalanceAlert(tx: Transaction, { type, of, raisedAtMs }: BalanceAlert): Promise<boolean> {
  const facts = [type, of.accountId, periodOf(raisedAtMs), of.failures, of.failureCode];
  const money = [String(of.monthlyMaxCents), String(of.orderedCents)];
  const statement = { name: 'billing.raise_balance_alert', text: alertText };
  return (await tx.query(statement, [...facts, ...money, toIso(raisedAtMs)])).length > 0;
}

interface DbAutoTopUp {
  readonly account_id: string;
  readonly below_cents: string;
  readonly amount_cents: string;
  readonly monthly_max_cents: string;
  readonly failures: number;
  readonly failure_code: string | null;
  readonly retry_at: Date | null;
  readonly ordered_cents: string;
}

function fromDbAutoTopUp(row: DbAutoTopUp): AutoTopUp {
  return {
    accountId: row.account_id,
    belowCents: BigInt(row.below_cents),
    amountCents: BigInt(row.amount_cents),
    monthlyMaxCents: BigInt(row.monthly_max_cents),
    failures: row.failures,
    failureCode: row.failure_code,
    retryAtMs: row.retry_at?.getTime() ?? null,
    orderedCents: BigInt(row.ordered_cents),
  };
}
