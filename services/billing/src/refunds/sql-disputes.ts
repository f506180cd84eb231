import { toIso } from '@tollgate/kernel/clock';
import { onlyRow, type Queryable, type Transaction } from '@tollgate/database/database';
import type { Micros } from '@tollgate/kernel/money';
import type { ChargeSubject } from '../collection/sql-charges.ts';
import type { ProcessorDispute } from '../processor/processor.ts';

export interface KnownDispute {
  readonly id: string;
  readonly processor: string;
  /** The subject of the disputed charge. */
  readonly subject: ChargeSubject;
}

const insertText = `
insert into billing.dispute (dispute_id, processor, processor_dispute_id, invoice_id, top_up_id, amount_cents, status, opened_at)
values ($1, $2, $3, $4, $5, $6, 'open', $7)
on conflict do nothing`;

/** Stores a dispute, unless it is known. */
export async function addDispute(tx: Transaction, known: KnownDispute, dispute: ProcessorDispute): Promise<void> {
  const { id, processor, subject } = known;
  const [invoiceId, topUpId] = subject.kind === 'invoice' ? [subject.id, null] : [null, subject.id];
  const facts = [String(dispute.amountCents), toIso(dispute.createdAtMs)];
  await tx.query(insertText, [id, processor, dispute.objectId, invoiceId, topUpId, ...facts]);
}

const lockText = `
select dispute_id, status, refund_id, taken_cents, fee_cents, fee_postings, held_cents, held_postings from billing.dispute
where dispute_id = $1 for update`;

export interface LockedDispute extends DisputeMoney {
  readonly id: string;
  readonly status: ProcessorDispute['status'];
  readonly isFeeRead: boolean;
  /** The refund that it became when it was lost, also if it was won later. */
  readonly refundId: string | null;
}

/** Locks the dispute until the transaction ends, and returns its stored state. */
export async function lockDispute(tx: Transaction, id: string): Promise<LockedDispute> {
  const row = onlyRow(await tx.query<DbDispute>(lockText, [id]));
  return {
    id: row.dispute_id,
    status: row.status,
    refundId: row.refund_id,
    takenCents: BigInt(row.taken_cents),
    feeCents: BigInt(row.fee_cents ?? 0),
    isFeeRead: row.fee_cents !== null,
    feePostings: row.fee_postings,
    heldCents: BigInt(row.held_cents),
    heldPostings: row.held_postings,
  };
}

interface DbDispute {
  readonly dispute_id: string;
  readonly status: ProcessorDispute['status'];
  readonly refund_id: string | null;
  readonly taken_cents: string;
  readonly fee_cents: string | null;
  readonly fee_postings: number;
  readonly held_cents: string;
  readonly held_postings: number;
}

export interface DisputeMoney {
  /** Withdrawn by the processor and not given back. */
  readonly takenCents: bigint;
  /** The processor's fee, as posted. */
  readonly feeCents: bigint;
  readonly feePostings: number;
  /** The part of what it has withdrawn that is not decided, as posted. */
  readonly heldCents: bigint;
  readonly heldPostings: number;
}

const moneyText = `
update billing.dispute set taken_cents = $2, fee_cents = $3, fee_postings = $4, held_cents = $5, held_postings = $6
where dispute_id = $1`;

export async function setDisputeMoney(tx: Transaction, id: string, money: DisputeMoney): Promise<void> {
  const { takenCents, feeCents, feePostings, heldCents, heldPostings } = money;
  const values = [id, String(takenCents), String(feeCents), feePostings, String(heldCents), heldPostings];
  await tx.query(moneyText, values);
}

export interface DisputeClosed {
  readonly status: 'won' | 'lost';
  /** The refund that it became when it was lost; null if it was won at once. */
  readonly refundId: string | null;
  readonly closedAtMs: number;
}

const closeText = `update billing.dispute set status = $2, refund_id = $3, closed_at = $4 where dispute_id = $1`;

export async function closeDispute(tx: Transaction, id: string, closed: DisputeClosed): Promise<void> {
  await tx.query(closeText, [id, closed.status, closed.refundId, toIso(closed.closedAtMs)]);
}

const listOpenText = `
select processor_dispute_id as id from billing.dispute
where invoice_id = $1 and processor = $2 and status = 'open' and taken_cents > 0`;

/** Lists the disputes of an invoice that are not decided, and for which the processor has withdrawn money, by their ids there. */
export async function listOpenDisputes(
  db: Queryable,
  of: { readonly invoiceId: string; readonly processor: string },
): Promise<string[]> {
  const statement = { name: 'billing.list_open_disputes', text: listOpenText };
  return (await db.query<{ id: string }>(statement, [of.invoiceId, of.processor])).map(({ id }) => id);
}

const countOpenText = `
select count(*)::int as disputes from billing.dispute where processor = $1 and status = 'open'`;

/** Counts the disputes that the processor has not decided. */
export async function countOpenDisputes(db: Queryable, processor: string): Promise<number> {
  const statement = { name: 'billing.count_open_disputes', text: countOpenText };
  return onlyRow(await db.query<{ disputes: number }>(statement, [processor])).disputes;
}

const hasText = `select from billing.dispute_hold where dispute_id = $1 limit 1`;

export async function hasDisputeHold(tx: Transaction, disputeId: string): Promise<boolean> {
  return (await tx.query(hasText, [disputeId])).length > 0;
}

export interface DisputeShare {
  readonly builderId: string;
  readonly amountMicros: Micros;
}

const insertDisputeHoldsText = `
insert into billing.dispute_hold (dispute_id, builder_id, earning_micros)
select $1, t.builder_id, t.earning_micros from unnest($2::uuid[], $3::numeric[]) as t (builder_id, earning_micros)`;

export async function insertDisputeHolds(tx: Transaction, disputeId: string, shares: readonly DisputeShare[]) {
  const builderIds = shares.map(({ builderId }) => builderId);
  const amounts = shares.map(({ amountMicros }) => String(amountMicros));
  await tx.query(insertDisputeHoldsText, [disputeId, builderIds, amounts]);
}
