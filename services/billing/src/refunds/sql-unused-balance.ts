import { toIso } from '@tollgate/kernel/clock';
import { micros, type Micros } from '@tollgate/kernel/money';
import { onlyRow, type Queryable, type Transaction } from '@tollgate/database/database';
import type { CreditPart } from '../balance/plan-spending.ts';
import { isDisputedText } from '../balance/sql-balance-credits.ts';
import { balancePaidText } from '../invoicing/invoice.ts';

const lockText = `
select from billing.top_up where account_id = $1 and top_up_id in (
  select top_up_id from billing.balance_credit where account_id = $1 and left_cents > 0)
order by top_up_id for update`;

/** Locks the top-ups of an account that have something left. Top-ups are locked before credits. */
export async function lockOpenTopUps(tx: Transaction, accountId: string): Promise<void> {
  await tx.query({ name: 'billing.lock_open_top_ups', text: lockText }, [accountId]);
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
