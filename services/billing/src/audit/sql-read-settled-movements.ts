import type { Transaction } from '@tollgate/database/database';
import type { AttemptKind, AttemptStatus } from '../processor/attempt.ts';
import type { ReconcileScope } from './reconciliation.ts';
import type { PaymentMethod } from '../processor/processor.ts';
import { fromDbCard, type DbCard } from '../processor/sql-customers.ts';

/** Money that we ordered at the processor or booked from there, with what the ledger moved for it. */
export interface SettledMovement {
  /** Null for a refund that nobody ordered here. */
  readonly attemptId: string | null;
  readonly kind: AttemptKind;
  /** The invoice, refund or payout. */
  readonly subjectId: string;
  /** The consumer of a charge, or the builder of a transfer. Null for a refund, which goes back to its charge. */
  readonly ownerId: string | null;
  /** Any of these is right at the processor: the customer, the charge, or the payout account. */
  readonly parties: readonly string[];
  readonly amountCents: bigint;
  readonly feeCents: bigint;
  /** The part of a transfer that came back. */
  readonly returnedCents: bigint;
  readonly status: AttemptStatus;
  readonly objectId: string | null;
  readonly startedAtMs: number;
  /** Null while the outcome is unknown. */
  readonly settledAtMs: number | null;
  /** The change of the ledger's cash account by this movement and its fee; 0 if nothing was posted. */
  readonly cashMicros: bigint;
}

/** The movement in words. */
export function nameOrder({ kind, attemptId, objectId }: SettledMovement): string {
  return `${kind} ${attemptId ?? objectId}`;
}

type ScopeAt = ReconcileScope & { readonly processor: string };

/** The orders of a period's documents, and the refunds made at the processor, with the cash that the ledger moved for them. */
const text = `
with invoice as (select * from billing.invoice where period = $1 and ($2::uuid is null or consumer_id = $2)),
subject (kind, subject_id, owner_id) as (
  select 'charge', invoice_id, consumer_id from invoice
  union all select 'charge', top_up_id, account_id from billing.top_up
    where to_char(created_at at time zone 'UTC', 'YYYY-MM') = $1 and ($2::uuid is null or account_id = $2)
  union all select 'refund', r.refund_id, null from billing.refund r join invoice using (invoice_id) where r.cause = 'operator'
  union all select 'refund', part_id, null from billing.balance_refund_part
    where to_char(created_at at time zone 'UTC', 'YYYY-MM') = $1 and ($2::uuid is null or account_id = $2)
  union all select 'transfer', payout_id, builder_id from billing.payout where period = $1 and ($2::uuid is null or builder_id = $2)
), movement as (
  select a.attempt_id, a.kind, a.subject_id, s.owner_id, array[a.party_id] as parties, a.amount_cents, a.fee_cents,
    (select coalesce(sum(r.amount_cents), 0) from billing.transfer_return r where r.attempt_id = a.attempt_id) as returned_cents,
    a.status, a.object_id, a.started_at, a.settled_at,
    case a.kind
      when 'charge' then array['charge-fee:' || a.attempt_id, 'part-paid:' || a.attempt_id, 'stray-charge:' || a.attempt_id, 'stray-charge-returned:' || a.attempt_id] || case
        when a.status not in ('succeeded', 'reversed') then null
        when a.of_top_up then 'top-up:' || a.subject_id
        when exists (select from billing.ledger_transaction x
          where x.business_key in ('part-paid:' || a.attempt_id, 'stray-charge:' || a.attempt_id)) then null
        else 'paid:' || a.subject_id end
      when 'refund' then array(select 'top-up-refund:' || u.refund_id from billing.top_up_refund u
        where u.refund_id = a.subject_id or u.reinstates = a.subject_id) || array['refund-fee:' || a.attempt_id, 'refund:' || a.subject_id, 'returned-refund:' || a.subject_id || ':' || a.number]
      else array['payout:' || a.subject_id || ':transferred:' || a.number, 'payout:' || a.subject_id || ':reversed:' || a.number]
        || array(select 'payout:' || a.subject_id || ':returned:' || a.number || ':' || r.place
          from billing.transfer_return r where r.attempt_id = a.attempt_id)
    end as keys
  from subject s join billing.processor_attempt a using (kind, subject_id)
  where a.processor = $3
  union all
  select null, 'refund', r.refund_id, null, array(select a.object_id from billing.processor_attempt a
      where a.kind = 'charge' and a.subject_id = r.invoice_id and a.object_id is not null), r.amount_cents,
    coalesce((select f.fee_cents from billing.foreign_refund_fee f where f.refund_id = r.refund_id), 0), 0,
    case when exists (select from billing.ledger_transaction x where x.business_key = 'returned-refund:' || r.refund_id || ':1')
      then 'reversed' else 'succeeded' end, r.object_id, r.created_at, r.succeeded_at,
    array['refund-fee:' || r.refund_id, 'refund:' || r.refund_id, 'returned-refund:' || r.refund_id || ':1']
  from billing.refund r join invoice using (invoice_id) where r.cause = 'processor' and r.processor = $3
  union all
  select null, 'refund', r.refund_id, null, array(select a.object_id from billing.processor_attempt a
      where a.kind = 'charge' and a.subject_id = r.top_up_id and a.object_id is not null), r.amount_cents,
    coalesce((select f.fee_cents from billing.foreign_refund_fee f where f.refund_id = r.refund_id), 0), 0,
    case when u.refund_id is null then 'succeeded' else 'reversed' end, r.object_id, r.created_at, r.created_at,
    array['refund-fee:' || r.refund_id, 'top-up-refund:' || r.refund_id, 'top-up-refund:' || u.refund_id]
  from billing.top_up_refund r left join billing.top_up_refund u on u.reinstates = r.refund_id
  where r.cause = 'processor' and r.processor = $3 and to_char(r.created_at at time zone 'UTC', 'YYYY-MM') = $1
    and ($2::uuid is null or r.account_id = $2)
)
select m.*, (select coalesce(sum(e.amount_micros), 0)::text from billing.ledger_transaction t
    join billing.ledger_entry e using (transaction_id) join billing.ledger_account l using (ledger_account_id)
    where l.kind = 'cash' and t.business_key = any (m.keys)) as cash_micros
from movement m order by kind, started_at, attempt_id`;

export async function readSettledMovements(tx: Transaction, scope: ScopeAt): Promise<SettledMovement[]> {
  const { period, accountId, processor } = scope;
  const rows = await tx.query<DbMovement>(text, [period, accountId ?? null, processor]);
  return rows.map((row) => ({
    attemptId: row.attempt_id,
    kind: row.kind,
    subjectId: row.subject_id,
    ownerId: row.owner_id,
    parties: row.parties,
    amountCents: BigInt(row.amount_cents),
    feeCents: BigInt(row.fee_cents),
    returnedCents: BigInt(row.returned_cents),
    status: row.status,
    objectId: row.object_id,
    startedAtMs: row.started_at.getTime(),
    settledAtMs: row.settled_at?.getTime() ?? null,
    cashMicros: BigInt(row.cash_micros),
  }));
}

interface DbMovement {
  readonly attempt_id: string | null;
  readonly kind: AttemptKind;
  readonly subject_id: string;
  readonly owner_id: string | null;
  readonly parties: readonly string[];
  readonly amount_cents: string;
  readonly fee_cents: string;
  readonly returned_cents: string;
  readonly status: AttemptStatus;
  readonly object_id: string | null;
  readonly started_at: Date;
  readonly settled_at: Date | null;
  readonly cash_micros: string;
}

/** A dispute as our books have it. */
export interface BookedDispute {
  readonly objectId: string;
  readonly amountCents: bigint;
  readonly status: string;
  /** The money that the processor holds while the dispute is open. */
  readonly takenCents: bigint;
  /** Null: it was booked before fees were. */
  readonly feeCents: bigint | null;
  /** The amount of the refund that it is; 0 if it took nothing. */
  readonly refundedCents: bigint;
  readonly openedAtMs: number;
  /** The charges of its invoice or top-up. */
  readonly charges: readonly string[];
}

const readDisputesOfText = `
select d.processor_dispute_id as object_id, d.amount_cents, d.status, d.taken_cents, d.fee_cents, d.opened_at,
  coalesce(r.amount_cents, t.amount_cents, 0) + coalesce(back.amount_cents, t_back.amount_cents, 0) as refunded_cents,
  array(select a.object_id from billing.processor_attempt a
    where a.kind = 'charge' and a.subject_id = coalesce(d.invoice_id, d.top_up_id) and a.object_id is not null) as charges
from billing.dispute d left join billing.invoice i using (invoice_id)
left join billing.top_up u on u.top_up_id = d.top_up_id
left join billing.refund r on r.refund_id = d.refund_id
left join billing.refund back on back.reinstates = d.refund_id
left join billing.top_up_refund t on t.refund_id = d.refund_id
left join billing.top_up_refund t_back on t_back.reinstates = d.refund_id
where d.processor = $3 and coalesce(i.period, to_char(d.opened_at at time zone 'UTC', 'YYYY-MM')) = $1
  and ($2::uuid is null or coalesce(i.consumer_id, u.account_id) = $2)
order by d.processor_dispute_id`;

export async function readDisputesOf(tx: Transaction, { period, accountId, processor }: ScopeAt) {
  const rows = await tx.query<DbDispute>(readDisputesOfText, [period, accountId ?? null, processor]);
  return rows.map((row): BookedDispute => ({
    objectId: row.object_id,
    amountCents: BigInt(row.amount_cents),
    status: row.status,
    takenCents: BigInt(row.taken_cents),
    feeCents: row.fee_cents === null ? null : BigInt(row.fee_cents),
    refundedCents: BigInt(row.refunded_cents),
    openedAtMs: row.opened_at.getTime(),
    charges: row.charges,
  }));
}

interface DbDispute {
  readonly object_id: string;
  readonly amount_cents: string;
  readonly status: string;
  readonly taken_cents: string;
  readonly fee_cents: string | null;
  readonly refunded_cents: string;
  readonly opened_at: Date;
  readonly charges: readonly string[];
}

/** A payout account of a builder, or a customer of a consumer, as our books have it. */
export interface Party {
  readonly kind: 'payout account' | 'customer';
  readonly objectId: string;
  readonly accountId: string;
  /** Money may go to it, or be taken from it. */
  readonly isInUse: boolean;
  /** It was replaced by another. */
  readonly isPast: boolean;
  /** A customer's card. */
  readonly card: PaymentMethod | undefined;
}

const readPartiesText = `
select 'payout account' as kind, processor_account_id as object_id, account_id, payouts_enabled and disconnected_at is null as is_in_use,
  false as is_past, null as payment_method_id, null as brand, null as last4, null::integer as exp_month, null::integer as exp_year
from billing.connected_account where processor = $1 and ($2::uuid is null or account_id = $2)
union all
select 'payout account', processor_account_id, account_id, false, true, null, null, null, null, null
from billing.past_payout_account where processor = $1 and ($2::uuid is null or account_id = $2)
union all
select 'customer', processor_customer_id, account_id, payment_method_id is not null, false, payment_method_id, brand, last4, exp_month, exp_year
from billing.processor_customer where processor = $1 and ($2::uuid is null or account_id = $2)
order by 1, 2`;

interface Row extends DbCard {
  readonly kind: Party['kind'];
  readonly object_id: string;
  readonly account_id: string;
  readonly is_in_use: boolean;
  readonly is_past: boolean;
}

export async function readParties(tx: Transaction, { processor, accountId }: ScopeAt): Promise<Party[]> {
  const rows = await tx.query<Row & object>(readPartiesText, [processor, accountId ?? null]);
  return rows.map(({ kind, object_id: objectId, account_id, is_in_use: isInUse, is_past: isPast, ...card }) => {
    return { kind, objectId, accountId: account_id, isInUse, isPast, card: fromDbCard(card) };
  });
}
