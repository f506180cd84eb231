import { toIso } from '@tollgate/kernel/clock';
import { onlyRow, type Queryable, type Transaction } from '@tollgate/database/database';
import { micros, type Micros } from '@tollgate/kernel/money';
import type { ListPage, PageQuery } from '../catalogue/catalogue.ts';
import type { BalanceRefund, BalanceRefundPart, BalanceRefundStatus } from './refund.ts';
import type { CreditPart } from '../balance/plan-spending.ts';
import { isDisputedText } from '../balance/sql-balance-credits.ts';
import { balancePaidText } from '../invoicing/invoice.ts';

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

const lockOpenTopUpsText = `
select from billing.top_up where account_id = $1 and top_up_id in (
  select top_up_id from billing.balance_credit where account_id = $1 and left_cents > 0)
order by top_up_id for update`;

/** Locks the top-ups of an account that have something left. Top-ups are locked before credits. */
export async function lockOpenTopUps(tx: Transaction, accountId: string): Promise<void> {
  await tx.query({ name: 'billing.lock_open_top_ups', text: lockOpenTopUpsText }, [accountId]);
}

// A charge is refunded up to what remains of it. A top-up may have more left: an invoice may give it money back that a
// dispute of it has taken already.
const refundableText = `
select t.top_up_id as credit_id, least(balance_credit.left_cents, t.amount_cents
  - (select coalesce(sum(r.amount_cents), 0) from billing.top_up_refund r where r.top_up_id = t.top_up_id)
  - (select coalesce(sum(p.amount_cents), 0) from billing.balance_refund_part p
    where p.top_up_id = t.top_up_id and p.status = 'pending')) as cents
from billing.top_up t join billing.balance_credit using (top_up_id)
where balance_credit.account_id = $1 and balance_credit.left_cents > 0 and not ${isDisputedText}
order by balance_credit.created_at desc, t.top_up_id desc`;

/**
 * Reads the amounts that can go back to the card of each top-up of an account, the newest first. Top-ups and credits
 * must be locked.
 */
export async function readRefundableTopUps(tx: Transaction, accountId: string): Promise<CreditPart[]> {
  const statement = { name: 'billing.refundable_top_ups', text: refundableText };
  const rows = await tx.query<{ credit_id: string; cents: string }>(statement, [accountId]);
  return rows.map(({ credit_id: creditId, cents }) => ({ creditId, cents: BigInt(cents) }));
}

const gatedText = `select spent_micros, held_micros from gate.lock_balance_cap($1)`;
const owedText = `
select (owed_micros - billed_micros)::bigint as micros
from billing.spending_power_v1(array[$1::uuid], $2::timestamptz, array[$2::timestamptz])`;

interface GatedRow {
  readonly spent_micros: bigint;
  readonly held_micros: bigint;
}

interface FirmAt {
  /** The money that may be needed: of a grant, only what calls were laid on. */
  readonly firmMicros: bigint;
  readonly atMs: number;
}

/**
 * Reads the unused balance of an account that the gate bounds by its balance. Undefined: the gate does not. No call is
 * authorized on it until the transaction ends.
 */
export async function lockGatedUnused(
  tx: Transaction,
  accountId: string,
  { firmMicros, atMs }: FirmAt,
): Promise<Micros | undefined> {
  const [cap] = await tx.query<GatedRow>({ name: 'billing.lock_balance_cap', text: gatedText }, [accountId]);
  if (cap === undefined) return undefined;
  const statement = { name: 'billing.read_owed_less_billed', text: owedText };
  const { micros: owed } = onlyRow(await tx.query<{ micros: bigint }>(statement, [accountId, toIso(atMs)]));
  return micros(firmMicros - owed - cap.spent_micros - cap.held_micros);
}

const neededText = `
select ((select coalesce(sum(total_cents - part_paid_cents - ${balancePaidText}), 0) from billing.invoice
    where consumer_id = $1 and status in ('open', 'past_due', 'uncollectible')) * 10000
  + (select coalesce(sum(micros), 0) from gate.hold_v1 where account_id = $1 and state in ('open', 'captured')))::text as micros`;

/** Reads the sum of what an account owes for invoices and what the gate holds for its calls. */
export async function readOwedAndHeld(db: Queryable, accountId: string): Promise<Micros> {
  const statement = { name: 'billing.read_owed_and_held', text: neededText };
  return micros(BigInt(onlyRow(await db.query<{ micros: string }>(statement, [accountId])).micros));
}
