import { toIso } from '@tollgate/kernel/clock';
import type { Queryable, Transaction } from '@tollgate/database/database';
import type { GrantPool } from './plan-laying.ts';
import { spendingOrder } from './sql-balance-credits.ts';

const listText = `
select credit_id, effective_from, ends_at, left_cents::bigint, reserved_cents::bigint,
  (select coalesce(-sum(m.amount_cents), 0)::bigint from billing.balance_move m
    where m.credit_id = balance_credit.credit_id and m.invoice_id = $2) as taken_cents
from billing.balance_credit where account_id = $1 and top_up_id is null order by ${spendingOrder}`;

/** A grant with what it has left, in `cents`. */
export interface Grant extends GrantPool {
  /** The cents that the invoice in question has taken of it. */
  readonly takenCents: bigint;
  /** The cents of unbilled calls that were laid on it when somebody looked last. */
  readonly reservedCents: bigint;
}

/** The grants of an account, in the order in which they are spent. Its credits must be locked. */
export async function listGrants(tx: Transaction, accountId: string, invoiceId?: string): Promise<Grant[]> {
  const statement = { name: 'billing.list_grants', text: listText };
  const rows = await tx.query<DbGrant>(statement, [accountId, invoiceId ?? null]);
  return rows.map((row) => ({
    creditId: row.credit_id,
    fromMs: row.effective_from.getTime(),
    endsMs: row.ends_at?.getTime() ?? null,
    cents: row.left_cents,
    takenCents: row.taken_cents,
    reservedCents: row.reserved_cents,
  }));
}

interface DbGrant {
  readonly credit_id: string;
  readonly effective_from: Date;
  readonly ends_at: Date | null;
  readonly left_cents: bigint;
  readonly reserved_cents: bigint;
  readonly taken_cents: bigint;
}

const reserveText = `
update billing.balance_credit c set reserved_cents = t.cents, reserved_at = $2
from unnest($1::uuid[], $3::numeric[]) as t (credit_id, cents) where c.credit_id = t.credit_id`;

/** Stores what unbilled calls were laid on grants. */
export async function putReserved(
  tx: Transaction,
  reserved: readonly Pick<Grant, 'creditId' | 'reservedCents'>[],
  nowMs: number,
): Promise<void> {
  const creditIds = reserved.map(({ creditId }) => creditId);
  const cents = reserved.map(({ reservedCents }) => String(reservedCents));
  await tx.query({ name: 'billing.put_reserved', text: reserveText }, [creditIds, toIso(nowMs), cents]);
}

const keepText = `
update billing.balance_credit set usable_until = greatest(usable_until, $2)
where credit_id = any ($1::uuid[]) and expires_at is not null`;

/** Lets the money of these grants be used until then, also where they would have ended before. */
export async function keepUsable(tx: Transaction, creditIds: readonly string[], untilMs: number): Promise<void> {
  await tx.query({ name: 'billing.keep_usable', text: keepText }, [creditIds, toIso(untilMs)]);
}

// A grant that has ended for good is looked at again when an invoice was laid since, which may have taken less. Where the rest
// of a balance decides about calls or top-ups, grants that end soon are followed.
const endingText = `
select distinct account_id from billing.balance_credit c
where top_up_id is null and left_cents > 0 and account_id > $1
  and (ends_at <= $2 and (left_cents > reserved_cents or reserved_at is null or reserved_at <= $3
      or exists (select from billing.laid_invoice l where l.consumer_id = c.account_id and l.laid_at >= c.reserved_at))
    or ends_at > $2 and ends_at <= $4 and (
      exists (select from gate.cap_state_v1 g where g.scope = 'balance' and g.owner_id = c.account_id)
      or exists (select from billing.auto_top_up a where a.account_id = c.account_id)))
order by account_id limit $5`;

export interface EndingQuery {
  /** A grant that ended before then has ended for good: all its calls are counted. */
  readonly finalMs: number;
  readonly lookedAgainMs: number;
  readonly soonMs: number;
  readonly afterId: string;
  readonly limit: number;
}

/** Lists accounts with grants that have ended and have something left, or end soon, ordered by id. */
export async function listAccountsWithEndingGrants(db: Queryable, query: EndingQuery): Promise<string[]> {
  const { finalMs, lookedAgainMs, soonMs, afterId, limit } = query;
  const values = [afterId, toIso(finalMs), toIso(lookedAgainMs), toIso(soonMs), limit];
  const rows = await db.query<{ account_id: string }>({ name: 'billing.list_ending_grants', text: endingText }, values);
  return rows.map(({ account_id: id }) => id);
}
