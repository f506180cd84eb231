import type { Queryable, Transaction } from '@tollgate/database/database';
import { toIso } from '@tollgate/kernel/clock';
import { micros } from '@tollgate/kernel/money';
import type { CapState, CapWish, Hold } from '../authorizations/hold.ts';
import { isCapOfHold } from '../settling/lines.ts';

interface CapRow {
  readonly cap_id: bigint;
  readonly scope: CapWish['scope'];
  readonly owner_id: string;
  readonly account_id: string;
  readonly window_start: Date;
  readonly window_end: Date;
  readonly cap_micros: bigint;
  readonly spent_micros: bigint;
  readonly held_micros: bigint;
}

const columns = `c.cap_id, c.scope, c.owner_id, c.account_id, c.window_start, c.window_end, c.cap_micros, c.spent_micros, c.held_micros`;

// The lock is what makes one decision follow the other, at however many gateways. All lock in the order of cap_id.
const lockText = `select ${columns} from gate.cap_state c
  join unnest($1::text[], $2::uuid[], $3::timestamptz[], $4::timestamptz[]) as w (scope, owner_id, window_start, window_end)
    using (scope, owner_id, window_start, window_end)
  order by c.cap_id for update of c`;

/** Locks the rows of these caps, each named once, until the transaction ends. Rows that do not exist are left out. */
export async function lockCaps(tx: Transaction, caps: readonly CapWish[]): Promise<CapState[]> {
  if (caps.length === 0) return [];
  const rows = await tx.query<CapRow>({ name: 'gate.lock_caps', text: lockText }, columnsOf(caps));
  return rows.map(fromCapRow);
}

// The rows that cover lines are locked, too, for accounts with calls in lines: what a line holds is in all of them.
const lockWithLinesText = `select ${columns} from gate.cap_state c where c.cap_id in (
    select cap_id from gate.cap_state
      join unnest($1::text[], $2::uuid[], $3::timestamptz[], $4::timestamptz[]) as w (scope, owner_id, window_start, window_end)
        using (scope, owner_id, window_start, window_end)
    union select cap_id from gate.cap_state where account_id = any ($5::uuid[]) and scope <> 'pass'
  ) order by c.cap_id for update`;

/** As `lockCaps`, and locks all rows of these accounts that are not of passes. */
export async function lockCapsWithLines(
  tx: Transaction,
  caps: readonly CapWish[],
  accountIds: readonly string[],
): Promise<CapState[]> {
  const rows = await tx.query<CapRow>({ name: 'gate.lock_caps_with_lines', text: lockWithLinesText }, [
    ...columnsOf(caps),
    accountIds,
  ]);
  return rows.map(fromCapRow);
}

function columnsOf(caps: readonly CapWish[]): readonly (readonly string[])[] {
  return [
    caps.map(({ scope }) => scope),
    caps.map(({ ownerId }) => ownerId),
    caps.map(({ startMs }) => toIso(startMs)),
    caps.map(({ endMs }) => toIso(endMs)),
  ];
}

const ofHoldText = `select ${columns} from gate.cap_state c where c.cap_id in (
    select unnest($1::bigint[]) union select cap_id from gate.cap_state
      join unnest($2::text[], $3::uuid[], $4::timestamptz[], $5::timestamptz[]) as w (scope, owner_id, window_start, window_end)
        using (scope, owner_id, window_start, window_end)
    union select cap_id from gate.cap_state where $6 and account_id = $7 and scope <> 'pass')
  order by c.cap_id`;
const lockOfHoldText = `${ofHoldText} for update of c`;

type HoldInCaps = Pick<Hold, 'capIds' | 'lineKeys' | 'accountId'>;

/** As `lockCaps`, and the rows that a hold is in. If it stands in lines, also all rows of its account that may cover these. */
export async function lockCapsOfHold(
  tx: Transaction,
  hold: HoldInCaps,
  caps: readonly CapWish[] = [],
): Promise<CapState[]> {
  const statement = { name: 'gate.lock_caps_of_hold', text: lockOfHoldText };
  return (await tx.query<CapRow>(statement, valuesOf(hold, caps))).map(fromCapRow);
}

/** The rows that a hold is in, and those that cover its lines. */
export async function findCapsOfHold(db: Queryable, hold: HoldInCaps): Promise<CapState[]> {
  const statement = { name: 'gate.find_caps_of_hold', text: ofHoldText };
  const caps = (await db.query<CapRow>(statement, valuesOf(hold, []))).map(fromCapRow);
  return caps.filter((cap) => isCapOfHold(cap, hold));
}

function valuesOf({ capIds, lineKeys, accountId }: HoldInCaps, caps: readonly CapWish[]): readonly unknown[] {
  return [capIds.map(String), ...columnsOf(caps), lineKeys.length > 0, accountId];
}

const ofAccountsText = `select ${columns} from gate.cap_state c where c.account_id = any ($1::uuid[]) order by c.cap_id`;
const lockOfAccountsText = `${ofAccountsText} for update`;

export async function lockCapsOf(tx: Transaction, accountIds: readonly string[]): Promise<CapState[]> {
  const rows = await tx.query<CapRow>({ name: 'gate.lock_caps_of', text: lockOfAccountsText }, [accountIds]);
  return rows.map(fromCapRow);
}

export async function listCapsOf(db: Queryable, accountIds: readonly string[]): Promise<CapState[]> {
  return (await db.query<CapRow>({ name: 'gate.list_caps_of', text: ofAccountsText }, [accountIds])).map(fromCapRow);
}

const changeText = `update gate.cap_state c
  set spent_micros = c.spent_micros + d.spent, held_micros = c.held_micros + d.held, unheld_micros = c.unheld_micros + d.unheld,
    settled_seq = c.settled_seq + d.settlements
  from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[]) as d (cap_id, spent, held, unheld, settlements)
  where c.cap_id = d.cap_id`;

export interface CapChange {
  readonly capId: bigint;
  readonly spent: bigint;
  readonly held: bigint;
  /** The part of `spent` that is not of a settled hold; 0 if not given. */
  readonly unheld?: bigint;
  /** A settlement may raise what is held, also above the cap: it has found calls that nobody held. */
  readonly isSettlement?: boolean;
}

/** The caller has locked the rows. */
export async function changeCaps(tx: Transaction, changes: readonly CapChange[]): Promise<void> {
  const moved = changes.filter(({ spent, held, unheld = 0n }) => [spent, held, unheld].some((by) => by !== 0n));
  if (moved.length === 0) return;
  await tx.query({ name: 'gate.change_caps', text: changeText }, [
    moved.map(({ capId }) => capId.toString()),
    moved.map(({ spent }) => spent.toString()),
    moved.map(({ held }) => held.toString()),
    moved.map(({ unheld = 0n }) => unheld.toString()),
    moved.map(({ isSettlement = false }) => (isSettlement ? '1' : '0')),
  ]);
}

const insertText = `insert into gate.cap_state
    (scope, owner_id, account_id, window_start, window_end, cap_micros, spent_micros, held_micros, alerts,
      unheld_micros)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $7)
  on conflict do nothing returning cap_id`;

export interface NewCap extends CapWish {
  readonly accountId: string;
  readonly capMicros: bigint;
  readonly spentMicros: bigint;
  readonly heldMicros: bigint;
  readonly alerts: readonly number[];
}

/** Undefined: there is such a row already. */
export async function insertCap(tx: Transaction, cap: NewCap): Promise<bigint | undefined> {
  const { scope, ownerId, accountId, startMs, endMs, capMicros, spentMicros, heldMicros, alerts } = cap;
  const amounts = [capMicros, spentMicros, heldMicros].map(String);
  const values = [scope, ownerId, accountId, toIso(startMs), toIso(endMs), ...amounts, alerts];
  const [row] = await tx.query<{ cap_id: bigint }>({ name: 'gate.insert_cap', text: insertText }, values);
  return row?.cap_id;
}

const dropText = `delete from gate.cap_state where scope = 'balance' and owner_id = $1`;

/** The caller has locked the account's rows. */
export async function dropBalanceCaps(tx: Transaction, accountId: string): Promise<void> {
  await tx.query({ name: 'gate.drop_balance_caps', text: dropText }, [accountId]);
}

const dropIdleText = `delete from gate.cap_state where cap_id in (
  select c.cap_id from gate.cap_state c
  left join billing.credit_limit_v1 l on l.account_id = c.owner_id
  left join billing.secured_account_v1 s on s.account_id = c.owner_id
  where c.scope = 'balance' and c.window_start is distinct from l.since
    and not ($1 and c.window_start is not distinct from case when s.account_id is null then 'epoch' else s.unsecured_since end)
  for update of c skip locked)`;

/**
 * Drops the rows of balances that bound nobody any more, such as those that `CONSUMER_CREDIT=prepaid` left behind: nothing
 * keeps them right. Not to be used with `prepaid`.
 */
export async function dropIdleBalanceCaps(db: Queryable, { hasAllowance }: { hasAllowance: boolean }): Promise<void> {
  await db.query({ name: 'gate.drop_idle_balance_caps', text: dropIdleText }, [hasAllowance]);
}

function fromCapRow(row: CapRow): CapState {
  return {
    capId: row.cap_id,
    scope: row.scope,
    ownerId: row.owner_id,
    accountId: row.account_id,
    startMs: row.window_start.getTime(),
    endMs: row.window_end.getTime(),
    capMicros: micros(row.cap_micros),
    spentMicros: micros(row.spent_micros),
    heldMicros: micros(row.held_micros),
  };
}
