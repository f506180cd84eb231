import type { Metadata } from '@tollgate/contracts/forms/metadata';
import { onlyRow, type Queryable, type Transaction } from '@tollgate/database/database';
import { toIso } from '@tollgate/kernel/clock';
import { micros, type Micros } from '@tollgate/kernel/money';
import type { Captured, HeldEvent } from '../authorizations/hold.ts';
import { anew } from '../authorizations/sql-hold.ts';

const watermarkText = `select coalesce(extract(epoch from max(counted_through)) * 1000, 0)::float8 as ms
  from usage.watermark_v1 where isfinite(counted_through)`;

/** Epoch ms: every event that was received before and acknowledged is counted. 0 before the first count. */
export async function readCountedThrough(db: Queryable): Promise<number> {
  const rows = await db.query<{ ms: number }>({ name: 'gate.read_counted_through', text: watermarkText });
  return Math.floor(onlyRow(rows).ms);
}

const lastText = `select account_id, coalesce(s.seq, 0) as seq, s.capped_since,
    exists (select from gate.pass p where p.account_id = a.account_id and p.ancestor_ids is not null) as has_parts
  from unnest($1::uuid[]) as a (account_id) left join gate.settlement s using (account_id)`;

export interface LastSettlement {
  readonly seq: bigint;
  /** Since when the account has caps of its own, and gateways register all its calls; null: it never had one. */
  readonly cappedSinceMs: number | null;
  /** Whether any pass of the account is a part of another one. */
  readonly hasParts: boolean;
}

/** Each account's last settlement. That of an account that was never settled has the number 0. */
export async function readLastSettlements(
  tx: Transaction,
  accountIds: readonly string[],
): Promise<Map<string, LastSettlement>> {
  const statement = { name: 'gate.read_last_settlements', text: lastText };
  type Row = { account_id: string; seq: bigint; capped_since: Date | null; has_parts: boolean };
  const rows = await tx.query<Row>(statement, [accountIds]);
  return new Map(
    rows.map(({ account_id: accountId, seq, capped_since: since, has_parts: hasParts }) => [
      accountId,
      { seq, cappedSinceMs: since?.getTime() ?? null, hasParts },
    ]),
  );
}

const cappedText = `update gate.settlement set capped_since = $2 where account_id = $1`;

/** The caller has advanced the settlement. */
export async function putCappedSince(tx: Transaction, accountId: string, sinceMs: number): Promise<void> {
  await tx.query({ name: 'gate.put_capped_since', text: cappedText }, [accountId, toIso(sinceMs)]);
}

const nextText = `insert into gate.settlement as s (account_id, seq)
  select account_id, seq + 1 from unnest($1::uuid[], $2::bigint[]) as r (account_id, seq) order by account_id
  on conflict (account_id) do update set seq = excluded.seq where s.seq = excluded.seq - 1
  returning account_id`;

/**
 * Returns those of the accounts that nobody has settled since their `seq` was read. Their rows stay locked until the
 * end.
 */
export async function advanceSettlements(
  tx: Transaction,
  accounts: readonly { readonly accountId: string; readonly seq: bigint }[],
): Promise<Set<string>> {
  const statement = { name: 'gate.advance_settlements', text: nextText };
  const values = [accounts.map(({ accountId }) => accountId), accounts.map(({ seq }) => seq.toString())];
  const rows = await tx.query<{ account_id: string }>(statement, values);
  return new Set(rows.map((row) => row.account_id));
}

const countedText = `with captured as (
    select hold_id, null::smallint as call_index, account_id, event_id, body_hash, held_micros from gate.hold
    where account_id = any ($1::uuid[]) and state = 'captured'
    union all
    select book_id, call_index, account_id, event_id, body_hash, micros from gate.captured_call where account_id = any ($1::uuid[])
  ), counted as (
    select c.hold_id, c.call_index, c.account_id, c.held_micros, e.* from captured c
    join usage.event_key_v1 k on k.event_id = c.event_id and k.body_hash = c.body_hash
    join usage.event_v1 e on e.consumer_id = k.consumer_id and e.occurred_at = k.occurred_at and e.event_id = k.event_id
    union all
    select c.hold_id, c.call_index, c.account_id, c.held_micros, e.* from captured c
    join usage.event_v1 e on e.event_id = c.event_id and e.idempotency_key is null
    where c.body_hash is null
  )
  select hold_id, call_index, account_id, tool_id, occurred_at, success, coalesce(duration_ms, 0) as duration_ms, metadata, held_micros
  from counted order by hold_id, call_index`;

interface CapturedRow {
  readonly account_id: string;
  readonly hold_id: string;
  readonly call_index: number | null;
}

interface CountedRow extends CapturedRow {
  readonly tool_id: string;
  readonly occurred_at: Date;
  readonly success: boolean;
  readonly duration_ms: bigint;
  readonly metadata: Metadata | null;
  readonly held_micros: bigint;
}

/** The counted events of captured holds and calls, by account. */
export async function readHeldEvents(
  tx: Transaction,
  accountIds: readonly string[],
): Promise<Map<string, HeldEvent[]>> {
  const rows = await tx.query<CountedRow>(anew('gate.read_held_events', countedText), [accountIds]);
  return byAccount(rows, (row) => ({
    ...toCaptured(row),
    toolId: row.tool_id,
    occurredAtMs: row.occurred_at.getTime(),
    success: row.success,
    durationMs: row.duration_ms,
    metadata: row.metadata ?? {},
    heldMicros: row.held_micros,
  }));
}

const expiredText = `select account_id, hold_id, null::smallint as call_index from gate.hold
    where account_id = any ($1::uuid[]) and state = 'captured' and expires_at <= $2
  union all
  select c.account_id, c.book_id, c.call_index
  from (select distinct account_id, book_id from gate.captured_call where account_id = any ($1::uuid[])) as of_account
  join gate.hold b on b.hold_id = of_account.book_id and b.expires_at <= $2
  cross join lateral (
    select * from gate.captured_call where account_id = of_account.account_id and book_id = of_account.book_id offset 0) c`;

/** The captured holds and calls, by account, that had expired at this moment. */
export async function listExpiredCaptures(
  tx: Transaction,
  accountIds: readonly string[],
  untilMs: number,
): Promise<Map<string, Captured[]>> {
  const statement = anew('gate.list_expired_captures', expiredText);
  return byAccount(await tx.query<CapturedRow>(statement, [accountIds, toIso(untilMs)]), toCaptured);
}

function toCaptured(row: CapturedRow): Captured {
  return { holdId: row.hold_id, callIndex: row.call_index };
}

const monthsText = `select account_id, period, spent_micros from gate.settled_month where account_id = any ($1::uuid[])`;

interface MonthRow {
  readonly account_id: string;
  readonly period: string;
  readonly spent_micros: bigint;
}

/** Reads the charges of each account's months at its last settlement. */
export async function readSettledMonths(
  tx: Transaction,
  accountIds: readonly string[],
): Promise<Map<string, [period: string, spent: Micros][]>> {
  const rows = await tx.query<MonthRow>({ name: 'gate.read_settled_months', text: monthsText }, [accountIds]);
  return byAccount(rows, (row) => [row.period, micros(row.spent_micros)]);
}

const putMonthText = `insert into gate.settled_month (account_id, period, spent_micros)
  select * from unnest($1::uuid[], $2::text[], $3::bigint[])
  on conflict (account_id, period) do update set spent_micros = excluded.spent_micros`;

export interface SettledMonth {
  readonly accountId: string;
  readonly period: string;
  readonly spentMicros: Micros;
}

export async function putSettledMonths(tx: Transaction, months: readonly SettledMonth[]): Promise<void> {
  await tx.query({ name: 'gate.put_settled_months', text: putMonthText }, [
    months.map(({ accountId }) => accountId),
    months.map(({ period }) => period),
    months.map(({ spentMicros }) => spentMicros.toString()),
  ]);
}

// The statement reads only the first of an account's open holds to expire, by the index on account and expiry. A new
// cap is settled until everything is counted that gateways took before they knew of it.
const dueText = `with recursive first as (
    (select account_id, expires_at from gate.hold where state in ('open', 'captured')
      order by account_id, expires_at limit 1)
    union all
    select next.account_id, next.expires_at from first cross join lateral (
      select h.account_id, h.expires_at from gate.hold h
      where h.state in ('open', 'captured') and h.account_id > first.account_id
      order by h.account_id, h.expires_at limit 1) next
  ), caller as (
    (select account_id from gate.captured_call order by account_id limit 1)
    union all
    select next.account_id from caller cross join lateral (
      select c.account_id from gate.captured_call c where c.account_id > caller.account_id order by c.account_id limit 1) next
  )
  select account_id from first where expires_at <= $1
  union select account_id from gate.hold where state = 'captured'
  union select account_id from caller
  union select account_id from gate.pass
    where cap_micros is not null and revoked_at is null and cap_changed_at > $1::timestamptz - interval '5 s'
  union select account_id from gate.budget where amount_micros is not null and changed_at > $1::timestamptz - interval '5 s'
  union select account_id from billing.credit_limit_v1 where since > $1::timestamptz - interval '5 s'
  union select account_id from billing.secured_account_v1 where unsecured_since > $1::timestamptz - interval '5 s'`;
// Balances are left out: with CONSUMER_CREDIT=prepaid every account that ever called has one, and with an allowance
// many have.
const allText = `${dueText} union select account_id from gate.cap_state where window_end > $1 and scope <> 'balance'`;

export interface DueQuery {
  readonly watermarkMs: number;
  /** Also accounts of which nothing is known to have changed. */
  readonly all: boolean;
}

export async function listAccountsToSettle(db: Queryable, { watermarkMs, all }: DueQuery): Promise<string[]> {
  const statement = all ? anew('gate.list_capped', allText) : anew('gate.list_due', dueText);
  return (await db.query<{ account_id: string }>(statement, [toIso(watermarkMs)])).map((row) => row.account_id);
}

// `select ... on conflict do nothing` raises each part once a window. Of windows that have ended, only those that this
// settlement spends of: a call before midnight may be settled after it, and a lowered cap says nothing of the past.
const alertText = `insert into gate.spending_alert
    (account_id, scope, owner_id, window_start, window_end, percent, cap_micros, spent_micros, raised_at)
  select c.account_id, c.scope, c.owner_id, c.window_start, c.window_end, percent, c.cap_micros, c.spent_micros, $2
  from gate.cap_state c cross join lateral unnest(c.alerts) as percent
  where c.account_id = any ($1::uuid[]) and c.spent_micros * 100 >= c.cap_micros * percent
    and (c.window_end > $2 or c.cap_id = any ($3::bigint[]))
  on conflict do nothing`;

const balanceText = `select billing.raise_balance_alerts(account_id, null, $2)
  from (select account_id from unnest($1::uuid[]) as a (account_id) order by account_id) as a`;

/** Compares what can be spent of the balances with the thresholds of their accounts. Last: only rows of thresholds are locked after. */
export async function raiseBalanceAlerts(tx: Transaction, accountIds: readonly string[], nowMs: number): Promise<void> {
  if (accountIds.length === 0) return;
  await tx.query({ name: 'gate.raise_balance_alerts', text: balanceText }, [accountIds, toIso(nowMs)]);
}

export interface SpentNow {
  readonly accountIds: readonly string[];
  readonly nowMs: number;
  /** The caps of which this settlement has spent. */
  readonly spentOf: readonly { readonly capId: bigint }[];
}

/** Tells each part of a cap that is spent, once a window. */
export async function raiseSpendingAlerts(tx: Transaction, { accountIds, nowMs, spentOf }: SpentNow): Promise<void> {
  const values = [accountIds, toIso(nowMs), spentOf.map(({ capId }) => capId.toString())];
  await tx.query({ name: 'gate.raise_spending_alerts', text: alertText }, values);
}

function byAccount<Row extends { readonly account_id: string }, T>(
  rows: readonly Row[],
  to: (row: Row) => T,
): Map<string, T[]> {
  const found = new Map<string, T[]>();
  for (const row of rows) {
    const ofAccount = found.get(row.account_id);
    if (ofAccount === undefined) found.set(row.account_id, [to(row)]);
    else ofAccount.push(to(row));
  }
  return found;
}
