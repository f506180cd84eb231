import { toIso } from '@tollgate/kernel/clock';
import { onlyRow, type Queryable, type Transaction } from '@tollgate/database/database';
import type { ListPage, PageQuery } from '../catalogue/catalogue.ts';
import type { TopUp, TopUpStatus, TopUpRefund, TopUpRefundCause } from './credit.ts';
import type { CreditPart } from './plan-spending.ts';

const columns = 'top_up_id, account_id, amount_cents, status, failure_code, is_automatic, created_at, succeeded_at';

const insertText = `
insert into billing.top_up (top_up_id, account_id, amount_cents, status, created_at, is_automatic)
values ($1, $2, $3, 'pending', $4, $5)
on conflict (top_up_id) do nothing returning top_up_id`;

export type NewTopUp = Pick<TopUp, 'id' | 'accountId' | 'amountCents' | 'createdAtMs' | 'isAutomatic'>;

/** Stores a pending top-up. False if there is one with this id; a call at once has committed it then. */
export async function insertTopUp(tx: Transaction, topUp: NewTopUp): Promise<boolean> {
  const { id, accountId, amountCents, createdAtMs, isAutomatic } = topUp;
  const values = [id, accountId, String(amountCents), toIso(createdAtMs), isAutomatic];
  return (await tx.query({ name: 'billing.insert_top_up', text: insertText }, values)).length > 0;
}

const pendingText = `
select from billing.top_up where account_id = $1 and is_automatic and status = 'pending'`;

export async function hasPendingAutoTopUp(tx: Transaction, accountId: string): Promise<boolean> {
  return (await tx.query({ name: 'billing.has_pending_auto_top_up', text: pendingText }, [accountId])).length > 0;
}

const findText = `select ${columns} from billing.top_up where top_up_id = $1 and account_id = $2`;

/** Finds a top-up of this account. */
export async function findTopUpOf(db: Queryable, of: Pick<TopUp, 'id' | 'accountId'>): Promise<TopUp | undefined> {
  const [row] = await db.query<DbTopUp>({ name: 'billing.find_top_up', text: findText }, [of.id, of.accountId]);
  return row && fromDbTopUp(row);
}

const lockText = `select ${columns} from billing.top_up where top_up_id = $1 for update`;

/** Locks the top-up until the transaction ends. Throws if there is none. */
export async function lockTopUp(tx: Transaction, id: string): Promise<TopUp> {
  return fromDbTopUp(onlyRow(await tx.query<DbTopUp>({ name: 'billing.lock_top_up', text: lockText }, [id])));
}

export type TopUpResult = Pick<TopUp, 'failureCode' | 'succeededAtMs'> & {
  readonly status: Exclude<TopUpStatus, 'pending'>;
};

const setStatusText = `
update billing.top_up set status = $2, failure_code = $3, succeeded_at = $4 where top_up_id = $1`;

export async function setTopUpStatus(tx: Transaction, id: string, result: TopUpResult): Promise<void> {
  const { status, failureCode, succeededAtMs } = result;
  const values = [id, status, failureCode, succeededAtMs === null ? null : toIso(succeededAtMs)];
  await tx.query({ name: 'billing.set_top_up_status', text: setStatusText }, values);
}

const pageText = `
select ${columns} from billing.top_up
where account_id = $1 and ($2::timestamptz is null or (created_at, top_up_id) < ($2, $3::uuid))
order by created_at desc, top_up_id desc limit $4`;

const totalText = 'select count(*)::int as total from billing.top_up where account_id = $1';

/** Lists the top-ups of an account, newest first by (created_at, id), and one more if there is another page. */
export async function listTopUps(
  tx: Transaction,
  { accountId, after, limit }: PageQuery & { readonly accountId: string },
): Promise<ListPage<TopUp>> {
  const values = [accountId, after ? toIso(after.createdAtMs) : null, after?.id ?? null, limit + 1];
  const rows = await tx.query<DbTopUp>({ name: 'billing.list_top_ups', text: pageText }, values);
  const { total } = onlyRow(await tx.query<{ total: number }>(totalText, [accountId]));
  return { rows: rows.map(fromDbTopUp), total };
}

interface DbTopUp {
  readonly top_up_id: string;
  readonly account_id: string;
  readonly amount_cents: string;
  readonly status: TopUpStatus;
  readonly failure_code: string | null;
  readonly is_automatic: boolean;
  readonly created_at: Date;
  readonly succeeded_at: Date | null;
}

function fromDbTopUp(row: DbTopUp): TopUp {
  return {
    id: row.top_up_id,
    accountId: row.account_id,
    amountCents: BigInt(row.amount_cents),
    status: row.status,
    failureCode: row.failure_code,
    isAutomatic: row.is_automatic,
    createdAtMs: row.created_at.getTime(),
    succeededAtMs: row.succeeded_at?.getTime() ?? null,
  };
}

const refundColumns = 'refund_id, top_up_id, account_id, amount_cents, balance_cents, cause, created_at';

const insertTopUpRefundText = `
insert into billing.top_up_refund (${refundColumns}, processor, object_id, reinstates)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`;

/** The object of a refund that was made at the processor, and the refund that this one undoes. */
export interface TopUpRefundOrigin {
  readonly processor?: string;
  readonly objectId?: string;
  readonly reinstates?: string;
}

export async function insertTopUpRefund(tx: Transaction, refund: TopUpRefund, origin: TopUpRefundOrigin = {}) {
  const { id, topUpId, accountId, amountCents, balanceCents, cause, createdAtMs } = refund;
  const { processor = null, objectId = null, reinstates = null } = origin;
  const values = [id, topUpId, accountId, String(amountCents), String(balanceCents), cause, toIso(createdAtMs)];
  const statement = { name: 'billing.insert_top_up_refund', text: insertTopUpRefundText };
  await tx.query(statement, [...values, processor, objectId, reinstates]);
}

const findTopUpRefundText = `select ${refundColumns} from billing.top_up_refund where refund_id = $1`;

export async function findTopUpRefund(db: Queryable, id: string): Promise<TopUpRefund | undefined> {
  const [row] = await db.query<DbTopUpRefund>({ name: 'billing.find_top_up_refund', text: findTopUpRefundText }, [id]);
  return row && fromDbTopUpRefund(row);
}

const isUndoneText = 'select from billing.top_up_refund where reinstates = $1';

export async function isTopUpRefundUndone(tx: Transaction, id: string): Promise<boolean> {
  return (await tx.query({ name: 'billing.is_top_up_refund_undone', text: isUndoneText }, [id])).length > 0;
}

const takenText = `
select credit_id, -amount_cents as cents from billing.balance_move where business_key = $1 order by credit_id`;

/** Reads the cents that a posting took from each credit. */
export async function readTakenByPosting(tx: Transaction, businessKey: string): Promise<CreditPart[]> {
  const statement = { name: 'billing.read_taken_by_posting', text: takenText };
  const rows = await tx.query<{ credit_id: string; cents: string }>(statement, [businessKey]);
  return rows.map(({ credit_id: creditId, cents }) => ({ creditId, cents: BigInt(cents) }));
}

interface DbTopUpRefund {
  readonly refund_id: string;
  readonly top_up_id: string;
  readonly account_id: string;
  readonly amount_cents: string;
  readonly balance_cents: string;
  readonly cause: TopUpRefundCause;
  readonly created_at: Date;
}

function fromDbTopUpRefund(row: DbTopUpRefund): TopUpRefund {
  return {
    id: row.refund_id,
    topUpId: row.top_up_id,
    accountId: row.account_id,
    amountCents: BigInt(row.amount_cents),
    balanceCents: BigInt(row.balance_cents),
    cause: row.cause,
    createdAtMs: row.created_at.getTime(),
  };
}
