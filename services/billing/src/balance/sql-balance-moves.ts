import { toIso } from '@tollgate/kernel/clock';
import { onlyRow, type Queryable, type Transaction } from '@tollgate/database/database';
import { balancePaidText } from '../invoicing/invoice.ts';
import type { CreditMove } from './credit.ts';
import type { BalanceBound } from './plan-spendable.ts';

const insertText = `
insert into billing.balance_move (business_key, credit_id, account_id, amount_cents, invoice_id, moved_at)
select $1, t.credit_id, $2, t.amount_cents, $3, $4
from unnest($5::uuid[], $6::numeric[]) as t (credit_id, amount_cents)`;

export interface MovesOfPosting {
  readonly businessKey: string;
  readonly accountId: string;
  readonly invoiceId?: string;
  readonly movedAtMs: number;
}

/** Stores what a posting does to credits. The database adds it to what they have left, which is never below zero. */
export async function insertMoves(tx: Transaction, of: MovesOfPosting, moves: readonly CreditMove[]): Promise<void> {
  const { businessKey, accountId, invoiceId = null, movedAtMs } = of;
  const creditIds = moves.map(({ creditId }) => creditId);
  const amounts = moves.map(({ amountCents }) => String(amountCents));
  const values = [businessKey, accountId, invoiceId, toIso(movedAtMs), creditIds, amounts];
  await tx.query({ name: 'billing.insert_balance_moves', text: insertText }, values);
}

const paidText = `
select ${balancePaidText} as cents,
  (select count(distinct m.business_key)::int from billing.balance_move m where m.invoice_id = invoice.invoice_id) as postings
from billing.invoice where invoice_id = $1`;

export interface BalancePayment {
  readonly cents: bigint;
  /** The number of postings for it, refunds included. */
  readonly postings: number;
}

/** Reads how much of a locked invoice the balance has paid. */
export async function readBalancePayment(db: Queryable, invoiceId: string): Promise<BalancePayment> {
  const statement = { name: 'billing.read_balance_payment', text: paidText };
  const row = onlyRow(await db.query<{ cents: string; postings: number }>(statement, [invoiceId]));
  return { cents: BigInt(row.cents), postings: row.postings };
}

const expiriesText = `
select count(*)::int as expiries from billing.balance_move where credit_id = $1 and business_key like 'credit-expired:%'`;

export async function countExpiries(tx: Transaction, creditId: string): Promise<number> {
  return onlyRow(await tx.query<{ expiries: number }>(expiriesText, [creditId])).expiries;
}

const balanceText = `
select coalesce(-sum(balance_micros), 0)::text as micros from billing.ledger_account
where kind = 'consumer_balance' and owner_id = $1`;

/** The balance of an account, as the ledger has it, in micro-dollars. */
export async function readBalanceMicros(db: Queryable, accountId: string): Promise<bigint> {
  return BigInt(onlyRow(await db.query<{ micros: string }>(balanceText, [accountId])).micros);
}

interface BoundRow {
  readonly balance: bigint;
  readonly owed: bigint;
  readonly credit_limit: bigint | null;
  readonly unbilled: bigint | null;
  readonly held: bigint | null;
}

// A row that is older than the limit is of a limit that was taken away: nothing keeps it right.
const text = `
select p.balance_micros::bigint as balance, p.owed_micros::bigint as owed, p.credit_limit_micros::bigint as credit_limit,
  (c.spent_micros - p.billed_micros)::bigint as unbilled, c.held_micros as held
from billing.own_spending_power_v1($2) p
left join gate.cap_state_v1 c on c.scope = 'balance' and c.owner_id = $1 and c.window_start in (
  'epoch', (select l.since from billing.credit_limit l where l.account_id = $1))`;

/** For the account of the transaction. */
export async function readBalanceBound(tx: Transaction, accountId: string, atMs: number): Promise<BalanceBound> {
  const statement = { name: 'billing.read_balance_bound', text };
  const row = onlyRow(await tx.query<BoundRow>(statement, [accountId, toIso(atMs)]));
  const { unbilled: unbilledMicros, held: heldMicros } = row;
  return {
    balanceMicros: row.balance,
    owedMicros: row.owed,
    creditLimitMicros: row.credit_limit,
    calls: unbilledMicros === null || heldMicros === null ? null : { unbilledMicros, heldMicros },
  };
}
