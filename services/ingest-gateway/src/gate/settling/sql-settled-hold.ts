import type { Queryable, Transaction } from '@tollgate/database/database';
import { toIso } from '@tollgate/kernel/clock';
import { micros } from '@tollgate/kernel/money';
import type { Hold, SettledHold } from '../authorizations/hold.ts';
import { anew, endBooks, fromHoldRow, holdColumns, type HoldRow } from '../authorizations/sql-hold.ts';

const lockMoneyText = `select hold_id, pass_id, held_micros, cap_ids::text[] as cap_ids, state, call_count, expires_at, charged_micros,
    charged_of_caps::text[] as charged_of_caps
  from gate.hold where hold_id = any ($1::uuid[]) order by hold_id for update`;

interface MoneyRow extends Pick<
  HoldRow,
  'hold_id' | 'pass_id' | 'held_micros' | 'cap_ids' | 'state' | 'call_count' | 'expires_at' | 'charged_micros'
> {
  readonly charged_of_caps: string[] | null;
}

export interface HeldMoney extends Pick<
  Hold,
  'holdId' | 'passId' | 'micros' | 'capIds' | 'state' | 'callCount' | 'expiresAtMs' | 'chargedMicros'
> {
  /** The charges of a book's calls, in the order of `capIds`; null before the first of its calls is settled. */
  readonly chargedOfCaps: readonly bigint[] | null;
}

/** As `lockHolds`, for callers that only move the money of holds. */
export async function lockMoneyOfHolds(tx: Transaction, holdIds: readonly string[]): Promise<HeldMoney[]> {
  if (holdIds.length === 0) return [];
  const rows = await tx.query<MoneyRow>(anew('gate.lock_money_of_holds', lockMoneyText), [holdIds]);
  return rows.map((row) => ({
    holdId: row.hold_id,
    passId: row.pass_id,
    micros: micros(row.held_micros),
    capIds: row.cap_ids.map(BigInt),
    state: row.state,
    callCount: row.call_count,
    expiresAtMs: row.expires_at.getTime(),
    chargedMicros: row.charged_micros === null ? null : micros(row.charged_micros),
    chargedOfCaps: row.charged_of_caps?.map(BigInt) ?? null,
  }));
}

// Read again once it is locked: a hold that was released meanwhile is left out.
const lockLiveText = `select ${holdColumns} from gate.hold where hold_id in (
    select hold_id from gate.hold where account_id = any ($1::uuid[]) and state in ('open', 'captured')
    union select book_id from gate.captured_call where account_id = any ($1::uuid[])
  ) and (state in ('open', 'captured') or call_count > 1) order by hold_id for update`;

/** All that hold money: open and captured holds, and books with captured calls. */
export async function lockLiveHolds(tx: Transaction, accountIds: readonly string[]): Promise<Hold[]> {
  return (await tx.query<HoldRow>(anew('gate.lock_live_holds', lockLiveText), [accountIds])).map(fromHoldRow);
}

const expireText = `with gone as (
    select hold_id from gate.hold
    where account_id = any ($1::uuid[]) and state = 'open' and expires_at <= $2 and call_count = 1
    limit $3 for update skip locked
  ), ended as (
    update gate.hold h set state = 'expired' from gone g where h.hold_id = g.hold_id
    returning h.account_id, h.cap_ids, h.held_micros
  )
  select cap_id, sum(held_micros)::bigint as micros, (select count(*) from ended)::int as ended,
    (select array_agg(distinct account_id)::text[] from ended) as account_ids
  from ended left join lateral unnest(cap_ids) as cap_id on true group by cap_id`;

/** So many end in one statement: each takes PostgreSQL some 15 µs, and meanwhile its row cannot be captured. */
const expiredMax = 1_000;

interface ExpiredRow {
  readonly cap_id: bigint | null;
  readonly micros: bigint;
  readonly ended: number;
  readonly account_ids: readonly string[];
}

export interface Expired {
  /** The money that each cap had held for them: the caller takes it out. */
  readonly microsByCap: ReadonlyMap<bigint, bigint>;
  /** The accounts of which more holds may have expired. */
  readonly unfinished: readonly string[];
}

const lockExpiredBooksText = `select hold_id, account_id from gate.hold
  where account_id = any ($1::uuid[]) and state = 'open' and expires_at <= $2 and call_count > 1
  limit $3 for update skip locked`;

/**
 * Ends open holds of these accounts that had expired at this moment, at most `expiredMax` and as many books. A hold that
 * somebody captures or releases now is left to them.
 */
export async function expireHolds(tx: Transaction, accountIds: readonly string[], untilMs: number): Promise<Expired> {
  const values = [accountIds, toIso(untilMs), expiredMax];
  const rows = await tx.query<ExpiredRow>(anew('gate.expire_holds', expireText), values);
  const books = await tx.query<Pick<HoldRow, 'hold_id' | 'account_id'>>(
    anew('gate.lock_expired_books', lockExpiredBooksText),
    values,
  );
  const bookIds = books.map((row) => row.hold_id);
  const microsByCap = await endBooks(tx, bookIds, 'expired');
  for (const { cap_id: capId, micros: ofCap } of rows)
    if (capId !== null) microsByCap.set(capId, (microsByCap.get(capId) ?? 0n) + ofCap);
  const unfinished = new Set(rows[0]?.ended === expiredMax ? rows[0].account_ids : []);
  if (books.length === expiredMax) for (const { account_id: accountId } of books) unfinished.add(accountId);
  return { microsByCap, unfinished: [...unfinished] };
}

const settleText = `update gate.hold h set state = 'settled', occurred_at = s.occurred_at, charged_micros = s.charged
  from unnest($1::uuid[], $2::timestamptz[], $3::bigint[]) as s (hold_id, occurred_at, charged) where h.hold_id = s.hold_id`;

/** The caller has locked the holds, and moves their money from held to spent. */
export async function settleHolds(tx: Transaction, settled: readonly SettledHold[]): Promise<void> {
  if (settled.length === 0) return;
  await tx.query(anew('gate.settle_holds', settleText), [
    settled.map(({ holdId }) => holdId),
    settled.map(({ occurredAtMs }) => toIso(occurredAtMs)),
    settled.map(({ chargedMicros }) => chargedMicros.toString()),
  ]);
}

// Their charges stay spent, now without a hold.
const dropText = `with old as (
    select hold_id from gate.hold h where state not in ('open', 'captured') and expires_at < $1
      and (call_count = 1 or not exists (
        select from gate.captured_call c where c.account_id = h.account_id and c.book_id = h.hold_id))
    order by expires_at limit $2 for update skip locked
  ), dropped as (
    delete from gate.hold h using old where h.hold_id = old.hold_id
    returning h.hold_id, h.cap_ids, h.occurred_at, h.held_micros, h.charged_micros, h.charged_of_caps
  ), charged as (
    select cap_id, sum(coalesce(of_cap.charged, case c.scope when 'pass' then least(d.charged_micros, d.held_micros) else d.charged_micros end)) as micros
    from dropped d cross join lateral unnest(d.cap_ids, d.charged_of_caps) as of_cap (cap_id, charged)
    join gate.cap_state c using (cap_id)
    where of_cap.charged is not null or d.occurred_at >= c.window_start and d.occurred_at < c.window_end group by cap_id
  ), locked as (
    select cap_id from gate.cap_state where cap_id in (select cap_id from charged) order by cap_id for update
  ), unheld as (
    update gate.cap_state c set unheld_micros = c.unheld_micros + d.micros
    from locked l join charged d using (cap_id) where c.cap_id = l.cap_id
  )
  select hold_id from dropped`;

/** Drops holds that ended long ago, oldest first, at most so many. Uses the index on the expiry of ended holds. */
export async function dropEndedHolds(
  db: Queryable,
  { beforeMs, max }: { beforeMs: number; max: number },
): Promise<number> {
  return (await db.query(anew('gate.drop_ended_holds', dropText), [toIso(beforeMs), max])).length;
}
