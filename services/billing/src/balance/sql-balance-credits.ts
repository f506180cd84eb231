import { toIso } from '@tollgate/kernel/clock';
import { onlyRow, type Queryable, type Transaction } from '@tollgate/database/database';
import type { Credit } from './credit.ts';
import type { CreditPart } from './plan-spending.ts';

const columns = `credit_id, account_id, top_up_id, amount_cents, left_cents, reason, effective_from, expires_at, ends_at,
  created_at`;

/** The order in which credits are spent: grants before top-ups, then the soonest to expire first, then the oldest. */
export const spendingOrder = '(top_up_id is not null), ends_at nulls last, created_at, credit_id';

/** Its bank may take the money of a disputed top-up back, so nothing spends it meanwhile. */
export const isDisputedText = `exists (
  select from billing.dispute d where d.top_up_id = balance_credit.top_up_id and d.status = 'open')`;

const insertText = `
insert into billing.balance_credit (credit_id, account_id, amount_cents, reason, expires_at, created_at, top_up_id,
  effective_from)
values ($1, $2, $3, $4, $5, $6, $7, $8)
on conflict (credit_id) do nothing returning credit_id`;

export type NewCredit = Omit<Credit, 'leftCents' | 'isDisputed' | 'topUpId' | 'endsAtMs'> & {
  readonly topUpId?: string;
};

/** Stores a new credit. Its amount comes with its first move. False if there is one with this id; a call at once has committed it then. */
export async function insertCredit(tx: Transaction, credit: NewCredit): Promise<boolean> {
  const { id, accountId, amountCents, reason, effectiveFromMs, expiresAtMs, createdAtMs, topUpId = null } = credit;
  const [effectiveFrom, createdAt] = [toIso(effectiveFromMs), toIso(createdAtMs)];
  const expiresAt = expiresAtMs === null ? null : toIso(expiresAtMs);
  const values = [id, accountId, String(amountCents), reason, expiresAt, createdAt, topUpId, effectiveFrom];
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

const lockText = `select from billing.balance_credit where account_id = $1 order by credit_id for no key update`;

/** Locks all credits of an account, so that nobody else spends them. */
export async function lockCredits(tx: Transaction, accountId: string): Promise<void> {
  await tx.query({ name: 'billing.lock_credits', text: lockText }, [accountId]);
}

/** The rest of each top-up of an account, the oldest first. A disputed one gives nothing. The credits must be locked. */
export async function listSpendableTopUps(tx: Transaction, accountId: string): Promise<CreditPart[]> {
  return (await listOpenCredits(tx, accountId))
    .filter(({ topUpId, isDisputed: isFrozen }) => topUpId !== null && !isFrozen)
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
  await lockCredits(tx, accountId);
  const newest = (await listOpenCredits(tx, accountId)).filter(({ topUpId }) => topUpId !== null).toReversed();
  const [first, others] = [newest.filter(({ id }) => id === firstId), newest.filter(({ id }) => id !== firstId)];
  return [...first, ...others].map(({ id: creditId, leftCents: cents }) => ({ creditId, cents }));
}

const spendableText = `
select coalesce(sum(case when ends_at <= date_trunc('hour', $2::timestamptz, 'UTC') then least(left_cents, reserved_cents)
  else left_cents end), 0)::text as cents
from billing.balance_credit where account_id = $1 and left_cents > 0 and not ${isDisputedText}`;

/** The cents that credits of an account have left for calls of this time, and for those laid on them before they ended. */
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
  await lockCredits(tx, accountId);
  const statement = { name: 'billing.credits_of_invoice', text: takenText };
  const rows = await tx.query<{ credit_id: string; cents: string }>(statement, [invoiceId]);
  return rows.map(({ credit_id: creditId, cents }) => ({ creditId, cents: BigInt(cents) }));
}

interface DbCredit {
  readonly credit_id: string;
  readonly account_id: string;
  readonly top_up_id: string | null;
  readonly amount_cents: string;
  readonly left_cents: string;
  readonly reason: string;
  readonly effective_from: Date;
  readonly expires_at: Date | null;
  readonly ends_at: Date | null;
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
    effectiveFromMs: row.effective_from.getTime(),
    expiresAtMs: row.expires_at?.getTime() ?? null,
    endsAtMs: row.ends_at?.getTime() ?? null,
    createdAtMs: row.created_at.getTime(),
    isDisputed: row.is_disputed,
  };
}
