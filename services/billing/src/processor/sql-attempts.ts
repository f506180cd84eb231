import { toIso } from '@tollgate/kernel/clock';
import { isUuid } from '@tollgate/kernel/uuid';
import { onlyRow, type Queryable, type Transaction } from '@tollgate/database/database';
import type { Attempt, AttemptKind, AttemptStatus } from './attempt.ts';

const columns = `attempt_id, kind, subject_id, number, idempotency_key, amount_cents, party_id, payment_method_id, of_top_up, status,
  object_id, failure_code, started_at`;

const insertText = `
insert into billing.processor_attempt (attempt_id, kind, subject_id, number, processor, idempotency_key, amount_cents,
  party_id, payment_method_id, of_top_up, status, started_at, look_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'unknown', $11, $12)`;

/** Stores a new attempt. Throws a unique violation if the subject has an unsettled attempt, or already has this one. */
export async function insertAttempt(tx: Transaction, attempt: Attempt, at: { processor: string; lookAtMs: number }) {
  const { id, kind, subjectId, number, idempotencyKey, amountCents, partyId, paymentMethodId, isOfTopUp } = attempt;
  const order = [id, kind, subjectId, number, at.processor, idempotencyKey, String(amountCents), partyId];
  await tx.query({ name: 'billing.insert_attempt', text: insertText }, [
    ...order,
    paymentMethodId,
    isOfTopUp,
    toIso(attempt.startedAtMs),
    toIso(at.lookAtMs),
  ]);
}

const countText = `select count(*)::int as attempts from billing.processor_attempt where kind = $1 and subject_id = $2`;

export async function countAttempts(tx: Transaction, kind: AttemptKind, subjectId: string): Promise<number> {
  return onlyRow(
    await tx.query<{ attempts: number }>({ name: 'billing.count_attempts', text: countText }, [kind, subjectId]),
  ).attempts;
}

const listText = `
select ${columns} from billing.processor_attempt where kind = $1 and subject_id = $2 order by number`;

/** Lists all attempts of a subject, in their order. */
export async function listAttempts(db: Queryable, kind: AttemptKind, subjectId: string): Promise<Attempt[]> {
  return (await db.query<DbAttempt>(listText, [kind, subjectId])).map(fromDbAttempt);
}

const unsettledText = `
select 1 from billing.processor_attempt where kind = $1 and subject_id = $2 and status = 'unknown'`;

export async function hasUnsettledAttempt(tx: Transaction, kind: AttemptKind, subjectId: string): Promise<boolean> {
  return (await tx.query({ name: 'billing.has_unsettled_attempt', text: unsettledText }, [kind, subjectId])).length > 0;
}

// The attempt is locked before its subject. All settling goes in this order, so it does not deadlock.
const lockText = `select ${columns} from billing.processor_attempt where attempt_id = $1 for update`;

export async function lockAttempt(tx: Transaction, id: string): Promise<Attempt> {
  return fromDbAttempt(onlyRow(await tx.query<DbAttempt>({ name: 'billing.lock_attempt', text: lockText }, [id])));
}

export interface AttemptResult {
  readonly status: Exclude<AttemptStatus, 'unknown'>;
  readonly objectId: string | undefined;
  readonly failureCode: string | undefined;
  readonly feeCents: bigint;
  readonly settledAtMs: number;
}

// The fee was posted when the charge succeeded. A later reversal does not change it.
const settleText = `
update billing.processor_attempt
set status = $2, object_id = coalesce($3, object_id), failure_code = $4, settled_at = $6, look_at = null,
  other_amount_cents = null,
  fee_cents = case when status = 'succeeded' then fee_cents else $5 end
where attempt_id = $1`;

export async function settleAttempt(tx: Transaction, id: string, result: AttemptResult): Promise<void> {
  const { status, objectId, failureCode, feeCents, settledAtMs } = result;
  const values = [id, status, objectId, failureCode, String(feeCents), toIso(settledAtMs)];
  await tx.query({ name: 'billing.settle_attempt', text: settleText }, values);
}

const noteOtherText = `
with before as (select other_amount_cents from billing.processor_attempt where attempt_id = $1)
update billing.processor_attempt
set other_amount_cents = $2, look_at = case when status = 'unknown' then $3::timestamptz end
where attempt_id = $1
returning (select other_amount_cents is distinct from $2 from before) as is_news`;

/** Notes that the processor has this amount instead. Returns false if that was known. The attempt must be locked. */
export async function noteOtherAmount(tx: Transaction, id: string, other: { cents: bigint; lookAtMs: number }) {
  const values = [id, other.cents, toIso(other.lookAtMs)];
  const statement = { name: 'billing.note_other_amount', text: noteOtherText };
  return onlyRow(await tx.query<{ is_news: boolean }>(statement, values)).is_news;
}

const countOtherText = `
select count(*)::int as attempts from billing.processor_attempt where other_amount_cents is not null`;

/** Counts the attempts of which the processor has another amount. */
export async function countOtherAmounts(db: Queryable): Promise<number> {
  const statement = { name: 'billing.count_other_amounts', text: countOtherText };
  return onlyRow(await db.query<{ attempts: number }>(statement)).attempts;
}

const lookLaterText = `
update billing.processor_attempt set look_at = $2, object_id = coalesce($3, object_id)
where attempt_id = $1 and status = 'unknown'`;

export async function lookAtAttemptLater(db: Queryable, id: string, later: { lookAtMs: number; objectId?: string }) {
  await db.query({ name: 'billing.look_at_attempt_later', text: lookLaterText }, [
    id,
    toIso(later.lookAtMs),
    later.objectId ?? null,
  ]);
}

export interface UnknownAttempt extends Attempt {
  /** The call began so long ago, by the machine's clock, that it cannot still be on its way. */
  readonly isLanded: boolean;
}

const listUnknownText = `
select ${columns}, clock_timestamp() - begun_at > $4 * interval '1 millisecond' as is_landed
from billing.processor_attempt
where processor = $1 and status = 'unknown' and look_at <= $2
order by look_at, attempt_id limit $3`;

/** Lists attempts of unknown outcome to look up by now, the longest waiting first. */
export async function listUnknownAttempts(
  db: Queryable,
  query: { processor: string; nowMs: number; limit: number; callMsMax: number },
): Promise<UnknownAttempt[]> {
  const values = [query.processor, toIso(query.nowMs), query.limit, query.callMsMax];
  const rows = await db.query<DbAttempt & { is_landed: boolean }>(listUnknownText, values);
  return rows.map((row) => ({ ...fromDbAttempt(row), isLanded: row.is_landed }));
}

const ofObjectText = `
select attempt_id from billing.processor_attempt
where processor = $1 and kind = $2 and (object_id = $3 or attempt_id = $4)
order by object_id is not distinct from $3 desc limit 1`;

/**
 * Finds the attempt of an object at the processor. The object's `attemptId` may be somebody else's. Undefined if the
 * object belongs to no attempt of ours.
 */
export async function findAttemptOfObject(
  db: Queryable,
  of: { processor: string; kind: AttemptKind; objectId: string; attemptId: string | undefined },
): Promise<string | undefined> {
  const attemptId = of.attemptId !== undefined && isUuid(of.attemptId) ? of.attemptId : null;
  const values = [of.processor, of.kind, of.objectId, attemptId];
  const [row] = await db.query<{ attempt_id: string }>(ofObjectText, values);
  return row?.attempt_id;
}

interface DbAttempt {
  readonly attempt_id: string;
  readonly kind: AttemptKind;
  readonly subject_id: string;
  readonly number: number;
  readonly idempotency_key: string;
  readonly amount_cents: string;
  readonly party_id: string;
  readonly payment_method_id: string | null;
  readonly of_top_up: boolean;
  readonly status: AttemptStatus;
  readonly object_id: string | null;
  readonly failure_code: string | null;
  readonly started_at: Date;
}

function fromDbAttempt(row: DbAttempt): Attempt {
  return {
    id: row.attempt_id,
    kind: row.kind,
    subjectId: row.subject_id,
    number: row.number,
    idempotencyKey: row.idempotency_key,
    amountCents: BigInt(row.amount_cents),
    partyId: row.party_id,
    paymentMethodId: row.payment_method_id,
    isOfTopUp: row.of_top_up,
    status: row.status,
    objectId: row.object_id,
    failureCode: row.failure_code,
    startedAtMs: row.started_at.getTime(),
  };
}

const otherProcessorText = `select processor from billing.processor_attempt where processor <> $1 limit 1`;

/** Finds another processor that has had an order from these books. */
export async function findOtherProcessor(db: Queryable, processor: string): Promise<string | undefined> {
  const [row] = await db.query<{ processor: string }>(otherProcessorText, [processor]);
  return row?.processor;
}

/** Says whether the charge `a` is a stray: its invoice needed no payment when it succeeded. */
export const isStray = `exists (
  select from billing.ledger_transaction t where t.business_key = 'stray-charge:' || a.attempt_id)`;

const text = `
select attempt_id, object_id, fee_cents from billing.processor_attempt a
where kind = 'charge' and subject_id = $1 and status = 'succeeded' and not ${isStray} order by settled_at, number`;

export interface PayingCharge {
  readonly attemptId: string;
  /** The processor's. */
  readonly objectId: string;
  readonly feeCents: bigint;
}

/** The charges that have paid this invoice, in their order, with the processor's fees. */
export async function listPayingCharges(db: Queryable, invoiceId: string): Promise<PayingCharge[]> {
  const statement = { name: 'billing.list_paying_charges', text };
  const rows = await db.query<{ attempt_id: string; object_id: string; fee_cents: string }>(statement, [invoiceId]);
  return rows.map((row) => ({ attemptId: row.attempt_id, objectId: row.object_id, feeCents: BigInt(row.fee_cents) }));
}
