import type { Metadata } from '@tollgate/contracts/metadata';
import { onlyRow, type Queryable, type Transaction } from '@tollgate/database/database';
import { toIso } from '@tollgate/kernel/clock';
import { micros, type Micros } from '@tollgate/kernel/money';
import type { HeldEvent } from './hold.ts';

const watermarkText = `select coalesce(extract(epoch from max(counted_through)) * 1000, 0)::float8 as ms
  from usage.watermark_v1 where isfinite(counted_through)`;

/** Epoch ms: every event that was received before and acknowledged is counted. 0 before the first count. */
export async function readCountedThrough(db: Queryable): Promise<number> {
  const rows = await db.query<{ ms: number }>({ name: 'gate.read_counted_through', text: watermarkText });
  return Math.floor(onlyRow(rows).ms);
}

const seqText = `select seq from gate.settlement where account_id = $1`;

/** 0 before the first settlement. */
export async function readSettlementSeq(tx: Transaction, accountId: string): Promise<bigint> {
  const [row] = await tx.query<{ seq: bigint }>({ name: 'gate.read_settlement_seq', text: seqText }, [accountId]);
  return row?.seq ?? 0n;
}

const nextText = `insert into gate.settlement as s (account_id, seq) values ($1, 1)
  on conflict (account_id) do update set seq = s.seq + 1 where s.seq = $2::bigint
  returning seq`;

/** Whether nobody has settled the account since `seq` was read. The row stays locked until the transaction ends. */
export async function advanceSettlement(tx: Transaction, accountId: string, seq: bigint): Promise<boolean> {
  const statement = { name: 'gate.advance_settlement', text: nextText };
  const [row] = await tx.query<{ seq: bigint }>(statement, [accountId, seq.toString()]);
  return row?.seq === seq + 1n;
}

const countedText = `with captured as (
    select hold_id, account_id, event_id, body_hash from gate.hold where account_id = $1 and state = 'captured'
  ), counted as (
    select c.hold_id, e.* from captured c
    join usage.event_key_v1 k on k.event_id = c.event_id and k.body_hash = c.body_hash
    join usage.event_v1 e on e.consumer_id = k.consumer_id and e.occurred_at = k.occurred_at and e.event_id = k.event_id
    union all
    select c.hold_id, e.* from captured c
    join usage.event_v1 e on e.event_id = c.event_id and e.idempotency_key is null
    where c.body_hash is null
  )
  select hold_id, tool_id, occurred_at, success, coalesce(duration_ms, 0) as duration_ms, metadata from counted order by hold_id`;

interface CountedRow {
  readonly hold_id: string;
  readonly tool_id: string;
  readonly occurred_at: Date;
  readonly success: boolean;
  readonly duration_ms: bigint;
  readonly metadata: Metadata | null;
}

/** The events of an account's captured holds that are counted. */
export async function readHeldEvents(tx: Transaction, accountId: string): Promise<HeldEvent[]> {
  const rows = await tx.query<CountedRow>({ name: 'gate.read_held_events', text: countedText }, [accountId]);
  return rows.map((row) => ({
    holdId: row.hold_id,
    toolId: row.tool_id,
    occurredAtMs: row.occurred_at.getTime(),
    success: row.success,
    durationMs: row.duration_ms,
    metadata: row.metadata ?? {},
  }));
}

const expiredText = `select hold_id from gate.hold
  where account_id = $1 and state in ('open', 'captured') and expires_at <= $2`;

/** The live holds that had expired at this moment. */
export async function listExpiredHolds(tx: Transaction, accountId: string, untilMs: number): Promise<string[]> {
  const statement = { name: 'gate.list_expired_holds', text: expiredText };
  const rows = await tx.query<{ hold_id: string }>(statement, [accountId, toIso(untilMs)]);
  return rows.map((row) => row.hold_id);
}

const monthsText = `select period, spent_micros from gate.settled_month where account_id = $1`;

export async function readSettledMonths(tx: Transaction, accountId: string): Promise<Map<string, Micros>> {
  const statement = { name: 'gate.read_settled_months', text: monthsText };
  const rows = await tx.query<{ period: string; spent_micros: bigint }>(statement, [accountId]);
  return new Map(rows.map((row) => [row.period, micros(row.spent_micros)]));
}

const putMonthText = `insert into gate.settled_month (account_id, period, spent_micros)
  select $1, * from unnest($2::text[], $3::bigint[])
  on conflict (account_id, period) do update set spent_micros = excluded.spent_micros`;

export async function putSettledMonths(
  tx: Transaction,
  accountId: string,
  months: ReadonlyMap<string, bigint>,
): Promise<void> {
  const values = [accountId, [...months.keys()], [...months.values()].map(String)];
  await tx.query({ name: 'gate.put_settled_months', text: putMonthText }, values);
}

// A new cap is settled until everything is counted that gateways took before they knew of it.
const dueText = `select distinct account_id from gate.hold
  where state = 'captured' or (state = 'open' and expires_at <= $1)
  union select account_id from gate.pass
    where cap_micros is not null and revoked_at is null and cap_changed_at > $1::timestamptz - interval '5 s'
  union select account_id from gate.budget where amount_micros is not null and changed_at > $1::timestamptz - interval '5 s'
  union select account_id from billing.credit_limit_v1 where since > $1::timestamptz - interval '5 s'
  union select account_id from billing.secured_account_v1 where unsecured_since > $1::timestamptz - interval '5 s'`;
// Not balances: with CONSUMER_CREDIT=prepaid every account that ever called has one, and with an allowance many have.
const allText = `${dueText} union select account_id from gate.cap_state where window_end > $1 and scope <> 'balance'`;

export interface DueQuery {
  readonly watermarkMs: number;
  /** Also accounts of which nothing is known to have changed. */
  readonly all: boolean;
}

export async function listAccountsToSettle(db: Queryable, { watermarkMs, all }: DueQuery): Promise<string[]> {
  const statement = all ? { name: 'gate.list_capped', text: allText } : { name: 'gate.list_due', text: dueText };
  return (await db.query<{ account_id: string }>(statement, [toIso(watermarkMs)])).map((row) => row.account_id);
}

// `select ... on conflict do nothing` raises each part once a window. Of windows that have ended, only those that this
// settlement spends of: a call before midnight may be settled after it, and a lowered cap says nothing of the past.
const alertText = `insert into gate.spending_alert
    (account_id, scope, owner_id, window_start, percent, cap_micros, spent_micros, raised_at)
  select c.account_id, c.scope, c.owner_id, c.window_start, percent, c.cap_micros, c.spent_micros, $2
  from gate.cap_state c cross join lateral unnest(c.alerts) as percent
  where c.account_id = $1 and c.spent_micros * 100 >= c.cap_micros * percent
    and (c.window_end > $2 or c.cap_id = any ($3::bigint[]))
  on conflict do nothing`;

const balanceText = 'select billing.raise_balance_alerts($1, null, $2)';

/** Compares what can be spent of the balance with the thresholds of the account. Last: no row is locked after theirs. */
export async function raiseBalanceAlerts(tx: Transaction, accountId: string, nowMs: number): Promise<void> {
  await tx.query({ name: 'gate.raise_balance_alerts', text: balanceText }, [accountId, toIso(nowMs)]);
}

export interface SpentNow {
  readonly accountId: string;
  readonly nowMs: number;
  /** The caps of which this settlement has spent. */
  readonly spentOf: readonly { readonly capId: bigint }[];
}

/** Tells each part of a cap that is spent, once a window. */
export async function raiseSpendingAlerts(tx: Transaction, { accountId, nowMs, spentOf }: SpentNow): Promise<void> {
  const values = [accountId, toIso(nowMs), spentOf.map(({ capId }) => capId.toString())];
  await tx.query({ name: 'gate.raise_spending_alerts', text: alertText }, values);
}
