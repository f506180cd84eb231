import { toIso } from '@tollgate/kernel/clock';
import type { Queryable, Transaction } from '@tollgate/database/database';
import type { CreditPart } from './plan-spending.ts';
import type { TopUpRefund, TopUpRefundCause } from './top-up-refund.ts';

const columns = 'refund_id, top_up_id, account_id, amount_cents, balance_cents, cause, created_at';

const insertText = `
insert into billing.top_up_refund (${columns}, processor, object_id, reinstates)
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
  const statement = { name: 'billing.insert_top_up_refund', text: insertText };
  await tx.query(statement, [...values, processor, objectId, reinstates]);
}

const findText = `select ${columns} from billing.top_up_refund where refund_id = $1`;

export async function findTopUpRefund(db: Queryable, id: string): Promise<TopUpRefund | undefined> {
  const [row] = await db.query<DbTopUpRefund>({ name: 'billing.find_top_up_refund', text: findText }, [id]);
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
