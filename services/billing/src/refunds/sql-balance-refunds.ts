import { toIso } from '@tollgate/kernel/clock';
import { onlyRow, type Queryable, type Transaction } from '@tollgate/database/database';
import type { ListPage, PageQuery } from '../catalogue/catalogue.ts';
import type { BalanceRefund, BalanceRefundPart, BalanceRefundStatus } from './balance-refund.ts';

const insertText = `
with inserted as (
  insert into billing.balance_refund (refund_id, account_id, amount_cents, created_at) values ($1, $2, $3, $4)
)
insert into billing.balance_refund_part (part_id, refund_id, top_up_id, account_id, amount_cents, created_at)
select part_id, $1, top_up_id, $2, amount_cents, $4
from unnest($5::uuid[], $6::uuid[], $7::numeric[]) as t (part_id, top_up_id, amount_cents)`;

export interface NewBalanceRefund extends Omit<BalanceRefund, 'parts'> {
  readonly parts: readonly Pick<BalanceRefundPart, 'id' | 'topUpId' | 'amountCents'>[];
}

/** Stores a refund with its parts, all pending. */
export async function insertBalanceRefund(tx: Transaction, refund: NewBalanceRefund): Promise<void> {
  const { id, accountId, amountCents, createdAtMs, parts } = refund;
  await tx.query({ name: 'billing.insert_balance_refund', text: insertText }, [
    id,
    accountId,
    String(amountCents),
    toIso(createdAtMs),
    parts.map(({ id: partId }) => partId),
    parts.map(({ topUpId }) => topUpId),
    parts.map(({ amountCents: cents }) => String(cents)),
  ]);
}

const read = `
select r.refund_id, r.account_id, r.amount_cents::text, r.created_at, (
  select json_agg(json_build_object('part_id', p.part_id, 'top_up_id', p.top_up_id, 'amount_cents', p.amount_cents::text,
    'status', p.status, 'failure_code', p.failure_code) order by t.created_at desc, t.top_up_id desc)
  from billing.balance_refund_part p join billing.top_up t using (top_up_id) where p.refund_id = r.refund_id) as parts
from billing.balance_refund r where r.account_id = $1`;

const findText = `${read} and r.refund_id = $2`;

/** Finds a refund of this account's balance. */
export async function findBalanceRefundOf(
  db: Queryable,
  { id, accountId }: Pick<BalanceRefund, 'id' | 'accountId'>,
): Promise<BalanceRefund | undefined> {
  const [row] = await db.query<DbRefund>({ name: 'billing.find_balance_refund', text: findText }, [accountId, id]);
  return row && fromDbRefund(row);
}

const pageText = `${read} and ($2::timestamptz is null or (r.created_at, r.refund_id) < ($2, $3::uuid))
order by r.created_at desc, r.refund_id desc limit $4`;

const totalText = 'select count(*)::int as total from billing.balance_refund where account_id = $1';

/** Lists the refunds of an account's balance, newest first by (created_at, id), and one more if there is another page. */
export async function listBalanceRefunds(
  db: Queryable,
  { accountId, after, limit }: PageQuery & Pick<BalanceRefund, 'accountId'>,
): Promise<ListPage<BalanceRefund>> {
  const values = [accountId, after ? toIso(after.createdAtMs) : null, after?.id ?? null, limit + 1];
  const rows = await db.query<DbRefund>({ name: 'billing.list_balance_refunds', text: pageText }, values);
  const { total } = onlyRow(await db.query<{ total: number }>(totalText, [accountId]));
  return { rows: rows.map(fromDbRefund), total };
}

const lockText = `
select part_id, top_up_id, account_id, amount_cents, status, failure_code, created_at from billing.balance_refund_part
where part_id = $1 for update`;

/** Locks a part until the transaction ends. */
export async function lockBalanceRefundPart(tx: Transaction, id: string): Promise<BalanceRefundPart> {
  const row = onlyRow(await tx.query<DbPart & { account_id: string; created_at: Date }>(lockText, [id]));
  return fromDbPart(row, { accountId: row.account_id, createdAtMs: row.created_at.getTime() });
}

export interface PartResult {
  readonly status: Exclude<BalanceRefundStatus, 'pending'>;
  readonly failureCode: string | null;
  readonly settledAtMs: number;
}

const setStatusText = `
update billing.balance_refund_part set status = $2, failure_code = $3, settled_at = coalesce(settled_at, $4) where part_id = $1`;

export async function setPartStatus(tx: Transaction, id: string, result: PartResult): Promise<void> {
  const { status, failureCode, settledAtMs } = result;
  await tx.query({ name: 'billing.set_balance_refund_part', text: setStatusText }, [
    id,
    status,
    failureCode,
    toIso(settledAtMs),
  ]);
}

interface DbPart {
  readonly part_id: string;
  readonly top_up_id: string;
  readonly amount_cents: string;
  readonly status: BalanceRefundStatus;
  readonly failure_code: string | null;
}

interface DbRefund {
  readonly refund_id: string;
  readonly account_id: string;
  readonly amount_cents: string;
  readonly created_at: Date;
  readonly parts: readonly DbPart[];
}

function fromDbRefund(row: DbRefund): BalanceRefund {
  const of = { accountId: row.account_id, createdAtMs: row.created_at.getTime() };
  return {
    id: row.refund_id,
    ...of,
    amountCents: BigInt(row.amount_cents),
    parts: row.parts.map((part) => fromDbPart(part, of)),
  };
}

function fromDbPart(row: DbPart, of: Pick<BalanceRefundPart, 'accountId' | 'createdAtMs'>): BalanceRefundPart {
  return {
    id: row.part_id,
    topUpId: row.top_up_id,
    ...of,
    amountCents: BigInt(row.amount_cents),
    status: row.status,
    failureCode: row.failure_code,
  };
}
