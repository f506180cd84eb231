import type { Queryable, Transaction } from '@tollgate/database/database';
import { toIso } from '@tollgate/kernel/clock';
import { micros, type Micros } from '@tollgate/kernel/money';
import type { Hold, HoldState, HoldWish, Quantities, SettledHold } from './hold.ts';

interface HoldRow {
  readonly hold_id: string;
  readonly account_id: string;
  readonly asker_id: string;
  readonly pass_id: string | null;
  readonly tool_id: string;
  readonly price_id: string;
  readonly event_id: string;
  readonly max: Quantities; // written from a value of this type
  readonly held_micros: bigint;
  readonly cap_ids: string[];
  readonly state: HoldState;
  readonly body_hash: string | null;
  readonly asked_at: Date;
  readonly expires_at: Date;
  readonly charged_micros: bigint | null;
  readonly call_count: number;
  readonly each_micros: bigint | null;
  readonly settled_calls: string | null;
  readonly lines: string[];
}

const columns = `hold_id, account_id, asker_id, pass_id, tool_id, price_id, event_id, max, held_micros, cap_ids::text[] as cap_ids,
  state, encode(body_hash, 'base64') as body_hash, asked_at, expires_at, charged_micros, call_count, each_micros, settled_calls, lines`;

/**
 * The table of holds grows from nothing within seconds. A plan that was made while it was empty walks all of it: with
 * 30,000 holds, capturing a call took PostgreSQL 288 µs in place of 35 (G3).
 */
export const anew = (name: string, text: string) => ({ name, text, isPlannedAnew: true }) as const;

const findText = `select ${columns} from gate.hold where hold_id = any ($1::uuid[])`;

export async function findHolds(db: Queryable, holdIds: readonly string[]): Promise<Hold[]> {
  if (holdIds.length === 0) return [];
  return (await db.query<HoldRow>(anew('gate.find_holds', findText), [holdIds])).map(fromHoldRow);
}

const bookText = `select ${columns}, (
    select count(*)::int from gate.captured_call c where c.account_id = hold.account_id and c.book_id = hold.hold_id) as captured
  from gate.hold where hold_id = $1`;

/** A book with the number of its captured calls that are not settled, all of one moment. */
export async function findBook(db: Queryable, holdId: string): Promise<{ hold: Hold; captured: number } | undefined> {
  const [row] = await db.query<HoldRow & { captured: number }>(anew('gate.find_book', bookText), [holdId]);
  return row && { hold: fromHoldRow(row), captured: row.captured };
}

const lockText = `${findText} order by hold_id for update`;

export async function lockHolds(tx: Transaction, holdIds: readonly string[]): Promise<Hold[]> {
  if (holdIds.length === 0) return [];
  return (await tx.query<HoldRow>(anew('gate.lock_holds', lockText), [holdIds])).map(fromHoldRow);
}

const lockMoneyText = `select hold_id, pass_id, held_micros, cap_ids::text[] as cap_ids, state, call_count, charged_micros,
    charged_of_caps::text[] as charged_of_caps
  from gate.hold where hold_id = any ($1::uuid[]) order by hold_id for update`;

interface MoneyRow extends Pick<
  HoldRow,
  'hold_id' | 'pass_id' | 'held_micros' | 'cap_ids' | 'state' | 'call_count' | 'charged_micros'
> {
  readonly charged_of_caps: string[] | null;
}

export interface HeldMoney extends Pick<
  Hold,
  'holdId' | 'passId' | 'micros' | 'capIds' | 'state' | 'callCount' | 'chargedMicros'
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
    chargedMicros: row.charged_micros === null ? null : micros(row.charged_micros),
    chargedOfCaps: row.charged_of_caps?.map(BigInt) ?? null,
  }));
}

// Read again once it is locked: a hold that was released meanwhile is left out.
const lockLiveText = `select ${columns} from gate.hold where hold_id in (
    select hold_id from gate.hold where account_id = any ($1::uuid[]) and state in ('open', 'captured')
    union select book_id from gate.captured_call where account_id = any ($1::uuid[])
  ) and (state in ('open', 'captured') or call_count > 1) order by hold_id for update`;

/** All that hold money: open and captured holds, and books with captured calls. */
export async function lockLiveHolds(tx: Transaction, accountIds: readonly string[]): Promise<Hold[]> {
  return (await tx.query<HoldRow>(anew('gate.lock_live_holds', lockLiveText), [accountIds])).map(fromHoldRow);
}

// A new hold may take the place of an expired one, whose money is free already.
const putText = `with put as (
    insert into gate.hold (hold_id, account_id, asker_id, pass_id, tool_id, price_id, event_id, max, held_micros, cap_ids, state,
      body_hash, asked_at, expires_at, call_count, each_micros, settled_calls, lines)
    select hold_id, account_id, asker_id, pass_id, tool_id, price_id, event_id, max, micros, cap_ids::bigint[], state,
      decode(body_hash, 'base64'), asked_at, expires_at, call_count,
      case when call_count > 1 then micros / call_count end,
      case when call_count > 1 then repeat('0', call_count)::varbit end, lines::text[]
    from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::uuid[], $7::uuid[], $8::jsonb[], $9::bigint[],
        $10::text[], $11::text[], $12::text[], $13::timestamptz[], $14::timestamptz[], $15::smallint[], $16::text[])
      as t (hold_id, account_id, asker_id, pass_id, tool_id, price_id, event_id, max, micros, cap_ids, state, body_hash,
        asked_at, expires_at, call_count, lines)
    order by hold_id
    on conflict (hold_id) do update set
      (asker_id, pass_id, price_id, max, held_micros, cap_ids, state, body_hash, asked_at, expires_at, call_count, each_micros,
       settled_calls, lines) =
      (excluded.asker_id, excluded.pass_id, excluded.price_id, excluded.max, excluded.held_micros, excluded.cap_ids,
       excluded.state, excluded.body_hash, excluded.asked_at, excluded.expires_at, excluded.call_count, excluded.each_micros,
       excluded.settled_calls, excluded.lines)
      where hold.state = 'expired' and hold.account_id = excluded.account_id
        and (hold.call_count = 1 or bit_count(hold.settled_calls) = 0
          and not exists (select from gate.captured_call c where c.account_id = hold.account_id and c.book_id = hold.hold_id))
    returning hold_id, cap_ids, held_micros
  ), sum as (
    select cap_id, sum(held_micros) as micros from put cross join lateral unnest(cap_ids) as cap_id group by cap_id
  ), held as (
    update gate.cap_state c set held_micros = c.held_micros + s.micros from sum s where c.cap_id = s.cap_id
  )
  select hold_id from put`;

export interface HoldToPut {
  readonly wish: HoldWish;
  readonly capIds: readonly bigint[];
  readonly lineKeys: readonly string[];
  readonly micros: Micros;
}

/**
 * Stores holds and adds them to their caps, whose rows the caller has locked. Returns the ids of those that it stored. The
 * last statement of its transaction.
 */
export async function putHolds(tx: Transaction, holds: readonly HoldToPut[]): Promise<string[]> {
  if (holds.length === 0) return [];
  const wishes = holds.map(({ wish }) => wish);
  const rows = await tx.query<{ hold_id: string }>(
    { name: 'gate.put_holds', text: putText },
    [
      wishes.map(({ holdId }) => holdId),
      wishes.map(({ accountId }) => accountId),
      wishes.map(({ askerId }) => askerId),
      wishes.map(({ passId }) => passId),
      wishes.map(({ toolId }) => toolId),
      wishes.map(({ priceId }) => priceId),
      wishes.map(({ eventId }) => eventId),
      wishes.map(({ max }) => JSON.stringify(max)),
      holds.map((hold) => hold.micros.toString()),
      holds.map(({ capIds }) => `{${capIds.join(',')}}`),
      wishes.map(({ state }) => state),
      wishes.map(({ bodyHash }) => toBase64(bodyHash)),
      wishes.map(({ askedAtMs }) => toIso(askedAtMs)),
      wishes.map(({ expiresAtMs }) => toIso(expiresAtMs)),
      wishes.map(({ callCount }) => callCount),
      holds.map(({ lineKeys }) => `{${lineKeys.join(',')}}`),
    ],
    'last',
  );
  return rows.map((row) => row.hold_id);
}

const captureText = `update gate.hold h set state = 'captured', body_hash = decode(c.body_hash, 'base64')
  from unnest($1::uuid[], $2::text[]) as c (hold_id, body_hash) where h.hold_id = c.hold_id`;

export interface Capture {
  readonly holdId: string;
  readonly bodyHash: string;
}

/** The caller has locked the holds, and found them open. */
export async function captureHolds(tx: Transaction, captures: readonly Capture[], last?: 'last'): Promise<void> {
  if (captures.length === 0) return;
  await tx.query(
    anew('gate.capture_holds', captureText),
    [captures.map(({ holdId }) => holdId), captures.map(({ bodyHash }) => toBase64(bodyHash))],
    last,
  );
}

const endText = `update gate.hold set state = $2 where hold_id = any ($1::uuid[])`;

/** Ends holds of one call. The caller has locked them, and takes their money out of their caps. */
export async function endHolds(
  tx: Transaction,
  holdIds: readonly string[],
  state: 'released' | 'expired',
): Promise<void> {
  if (holdIds.length > 0) await tx.query(anew('gate.end_holds', endText), [holdIds, state]);
}

// A captured call stays held. Nobody captures one meanwhile: the books are locked.
const endBooksText = `with left_over as (
    select h.hold_id, h.held_micros as before, coalesce((select sum(c.micros) from gate.captured_call c
      where c.account_id = h.account_id and c.book_id = h.hold_id), 0) as micros
    from gate.hold h where h.hold_id = any ($1::uuid[])
  ), ended as (
    update gate.hold b set state = $2, held_micros = l.micros from left_over l where b.hold_id = l.hold_id
    returning b.cap_ids, l.before - l.micros as freed
  )
  select cap_id, sum(freed)::bigint as micros from ended cross join lateral unnest(cap_ids) as cap_id group by cap_id`;

/** The caller has locked the books for update. Returns what each cap had held for open calls: the caller takes it out. */
export async function endBooks(
  tx: Transaction,
  bookIds: readonly string[],
  state: 'released' | 'expired',
): Promise<Map<bigint, bigint>> {
  if (bookIds.length === 0) return new Map();
  const rows = await tx.query<Pick<ExpiredRow, 'micros'> & { cap_id: bigint }>(anew('gate.end_books', endBooksText), [
    bookIds,
    state,
  ]);
  return new Map(rows.map((row) => [row.cap_id, row.micros]));
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

const addCapText = `update gate.hold set cap_ids = cap_ids || $2::bigint,
    charged_of_caps = case when charged_of_caps is not null then charged_of_caps || 0::bigint end
  where hold_id = any ($1::uuid[])`;

/** The caller has locked the holds. */
export async function addCapToHolds(tx: Transaction, holdIds: readonly string[], capId: bigint): Promise<void> {
  if (holdIds.length > 0) await tx.query(anew('gate.add_cap_to_holds', addCapText), [holdIds, capId.toString()]);
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

const raiseText = `update gate.hold set held_micros = $2, max = $3, each_micros = $4, lines = $5 where hold_id = $1`;

/** The caller has locked the hold and its caps. */
export async function raiseHold(
  tx: Transaction,
  {
    holdId,
    micros: held,
    max,
    eachMicros,
    lineKeys,
  }: Pick<Hold, 'holdId' | 'micros' | 'max' | 'eachMicros' | 'lineKeys'>,
): Promise<void> {
  const values = [holdId, held.toString(), JSON.stringify(max), eachMicros?.toString() ?? null, lineKeys];
  await tx.query({ name: 'gate.raise_hold', text: raiseText }, values);
}

/** The form in which PostgreSQL decodes it: with padding, and with + and /. */
function toBase64(hash: string | undefined): string | null {
  return hash === undefined ? null : Buffer.from(hash, 'base64url').toString('base64');
}

function fromHoldRow(row: HoldRow): Hold {
  return {
    holdId: row.hold_id,
    accountId: row.account_id,
    askerId: row.asker_id,
    passId: row.pass_id,
    toolId: row.tool_id,
    priceId: row.price_id,
    eventId: row.event_id,
    max: row.max,
    micros: micros(row.held_micros),
    capIds: row.cap_ids.map(BigInt),
    state: row.state,
    bodyHash: row.body_hash === null ? undefined : Buffer.from(row.body_hash, 'base64').toString('base64url'),
    askedAtMs: row.asked_at.getTime(),
    expiresAtMs: row.expires_at.getTime(),
    chargedMicros: row.charged_micros === null ? null : micros(row.charged_micros),
    callCount: row.call_count,
    eachMicros: row.each_micros === null ? null : micros(row.each_micros),
    settledCalls: row.settled_calls ?? '',
    lineKeys: row.lines,
  };
}
