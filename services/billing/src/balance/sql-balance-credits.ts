import { toIso } from '@tollgate/kernel/clock';
import { onlyRow, type Queryable, type Transaction } from '@tollgate/database/database';
import type { Credit } from './credit.ts';
import type { CreditPart } from './plan-spending.ts';

const columns = 'credit_id, account_id, top_up_id, amount_cents, left_cents, reason, expires_at, created_at';

/** The order in which credits are spent: grants before top-ups, then the soonest to expire first, then the oldest. */
const spendingOrder = '(top_up_id is not null), expires_at nulls last, created_at, credit_id';

/** Its bank may take the money of a disputed top-up back, so nothing spends it meanwhile. */
export const isDisputedText = `exists (
  select from billing.dispute d where d.top_up_id = balance_credit.top_up_id and d.status = 'open')`;

const insertText = `
insert into billing.balance_credit (credit_id, account_id, amount_cents, reason, expires_at, created_at, top_up_id)
values ($1, $2, $3, $4, $5, $6, $7)
on conflict (credit_id) do nothing returning credit_id`;

export type NewCredit = Omit<Credit, 'leftCents' | 'isDisputed' | 'topUpId'> & { readonly topUpId?: string };

/** Stores a new credit. Its amount comes with its first move. False if there is one with this id; a call at once has committed it then. */
export async function insertCredit(tx: Transaction, credit: NewCredit): Promise<boolean> {
  const { id, accountId, amountCents, reason, expiresAtMs, createdAtMs, topUpId = null } = credit;
  const expiresAt = expiresAtMs === null ? null : toIso(expiresAtMs);
  const values = [id, accountId, String(amountCents), reason, expiresAt, toIso(createdAtMs), topUpId];
  return (await tx.query(insertText, values)).length > 0;
}

const read = `select ${columns}, ${isDisputedText} as is_disputed`;

const findText = `${read} from billing.balance_credit where credit_id = $1`;

export async function findCredit(db: Queryable, id: string): Promise<Credit | undefined> {
  const [row] = await db.query<DbCredit>(findText, [id]);
  return row && fromDbCredit(row);
}

const listText = `${read} from billing.balance_credit where account_id = $1 order by created_at desc, credit_id desc`;

/** Lists all credits of an account, newest first. */
export async function listCredits(db: Queryable, accountId: string): Promise<Credit[]> {
  return (await db.query<DbCredit>(listText, [accountId])).map(fromDbCredit);
}

const openText = `${read} from billing.balance_credit where account_id = $1 and left_cents > 0 order by ${spendingOrder}`;

/** Lists the credits of an account that have something left, in the order in which they are spent. */
export async function listOpenCredits(db: Queryable, accountId: string): Promise<Credit[]> {
  return (await db.query<DbCredit>(openText, [accountId])).map(fromDbCredit);
}

const lockText = `
select credit_id, left_cents as cents, expires_at from billing.balance_credit
where account_id = $1 order by credit_id for no key update`;

/**
 * Locks all credits of an account, so that nobody else spends them, and returns those that can be spent at this time,
 * in the order in which they are spent.
 */
export async function lockSpendableCredits(tx: Transaction, accountId: string, nowMs: number): Promise<CreditPart[]> {
  await tx.query({ name: 'billing.lock_credits', text: lockText }, [accountId]);
  const open = await listOpenCredits(tx, accountId);
  return open
    .filter(({ expiresAtMs, isDisputed: isFrozen }) => !isFrozen && (expiresAtMs === null || expiresAtMs > nowMs))
    .map(({ id: creditId, leftCents: cents }) => ({ creditId, cents }));
}

/**
 * Locks all credits of an account, and returns what its top-ups have left: the first one, then the newest first. Also that
 * of disputed ones.
 */
export async function lockTopUpCredits(
  tx: Transaction,
  { accountId, firstId }: { readonly accountId: string; readonly firstId?: string },
): Promise<CreditPart[]> {
  await tx.query({ name: 'billing.lock_credits', text: lockText }, [accountId]);
  const newest = (await listOpenCredits(tx, accountId)).filter(({ topUpId }) => topUpId !== null).toReversed();
  const [first, others] = [newest.filter(({ id }) => id === firstId), newest.filter(({ id }) => id !== firstId)];
  return [...first, ...others].map(({ id: creditId, leftCents: cents }) => ({ creditId, cents }));
}

const spendableText = `
select coalesce(sum(left_cents), 0)::text as cents from billing.balance_credit
where account_id = $1 and left_cents > 0 and (expires_at is null or expires_at > $2) and not ${isDisputedText}`;

/** What the credits of an account have left that an invoice could take at this time. */
export async function sumSpendableCents(db: Queryable, accountId: string, nowMs: number): Promise<bigint> {
  const statement = { name: 'billing.sum_spendable_cents', text: spendableText };
  return BigInt(onlyRow(await db.query<{ cents: string }>(statement, [accountId, toIso(nowMs)])).cents);
}

const takenText = `
select c.credit_id, -sum(m.amount_cents) as cents
from billing.balance_move m join billing.balance_credit c using (credit_id)
where m.invoice_id = $1
group by c.credit_id having sum(m.amount_cents) < 0 order by ${spendingOrder}`;

/** Locks the credits of an account, and returns what the invoice took of each and has not returned. */
export async function lockCreditsOfInvoice(
  tx: Transaction,
  { accountId, invoiceId }: { readonly accountId: string; readonly invoiceId: string },
): Promise<CreditPart[]> {
  await tx.query({ name: 'billing.lock_credits', text: lockText }, [accountId]);
  const statement = { name: 'billing.credits_of_invoice', text: takenText };
  const rows = await tx.query<{ credit_id: string; cents: string }>(statement, [invoiceId]);
  return rows.map(({ credit_id: creditId, cents }) => ({ creditId, cents: BigInt(cents) }));
}

const expiredText = `
select credit_id from billing.balance_credit where left_cents > 0 and expires_at <= $1 and credit_id > $2
order by credit_id limit $3`;

/** Lists credits that have expired and have something left, ordered by id. */
export async function listExpiredCredits(
  db: Queryable,
  { nowMs, afterId, limit }: { readonly nowMs: number; readonly afterId: string; readonly limit: number },
): Promise<string[]> {
  const rows = await db.query<{ credit_id: string }>(expiredText, [toIso(nowMs), afterId, limit]);
  return rows.map(({ credit_id: id }) => id);
}

const lockOneText = `${read} from billing.balance_credit where credit_id = $1 for no key update`;

export async function lockCredit(tx: Transaction, id: string): Promise<Credit | undefined> {
  const [row] = await tx.query<DbCredit>(lockOneText, [id]);
  return row && fromDbCredit(row);
}

interface DbCredit {
  readonly credit_id: string;
  readonly account_id: string;
  readonly top_up_id: string | null;
  readonly amount_cents: string;
  readonly left_cents: string;
  readonly reason: string;
  readonly expires_at: Date | null;
  readonly created_at: Date;
  readonly is_disputed: boolean;
}

function fromDbCredit(row: DbCredit): Credit {
  return {
    id: row.credit_id,
    accountId: row.account_id,
    topUpId: row.top_up_id,
    amountCents: BigInt(row.amount_cents),
    leftCents: BigInt(row.left_cents),
    reason: row.reason,
    expiresAtMs: row.expires_at?.getTime() ?? null,
    createdAtMs: row.created_at.getTime(),
    isDisputed: row.is_disputed,
  };
}
