import { type Transaction, onlyRow } from '@tollgate/database/database';
import { toIso } from '@tollgate/kernel/clock';
import type { AttemptStatus } from '../processor/attempt.ts';
import type { ReturnedPart } from './payout-postings.ts';

/** One attempt to transfer a payout. */
export interface TransferAttempt {
  readonly id: string;
  readonly number: number;
  readonly status: AttemptStatus;
  readonly processor: string;
  readonly processorAccountId: string;
  readonly objectId: string | null;
  readonly idempotencyKey: string;
  readonly amountCents: bigint;
  readonly failureCode: string | null;
  readonly startedAtMs: number;
  readonly settledAtMs: number | null;
}

const readText = `
select attempt_id, number, status, processor, party_id, object_id, idempotency_key, amount_cents, failure_code,
  started_at, settled_at
from billing.processor_attempt where kind = 'transfer' and subject_id = $1 order by number`;

/** Reads the transfers of a payout, in their order. */
export async function readTransfers(tx: Transaction, payoutId: string): Promise<TransferAttempt[]> {
  return (await tx.query<Row>(readText, [payoutId])).map((row) => ({
    id: row.attempt_id,
    number: row.number,
    status: row.status,
    processor: row.processor,
    processorAccountId: row.party_id,
    objectId: row.object_id,
    idempotencyKey: row.idempotency_key,
    amountCents: BigInt(row.amount_cents),
    failureCode: row.failure_code,
    startedAtMs: row.started_at.getTime(),
    settledAtMs: row.settled_at?.getTime() ?? null,
  }));
}

interface Row {
  readonly attempt_id: string;
  readonly number: number;
  readonly status: AttemptStatus;
  readonly processor: string;
  readonly party_id: string;
  readonly object_id: string | null;
  readonly idempotency_key: string;
  readonly amount_cents: string;
  readonly failure_code: string | null;
  readonly started_at: Date;
  readonly settled_at: Date | null;
}

const countOthersText = `
select count(*)::int as others from billing.processor_attempt
where kind = 'transfer' and subject_id = $1 and attempt_id <> $2 and status = 'succeeded'`;

/** Counts the successful transfers of a payout besides this one. */
export async function countOtherTransfers(
  tx: Transaction,
  of: { readonly payoutId: string; readonly attemptId: string },
): Promise<number> {
  const values = [of.payoutId, of.attemptId];
  return onlyRow(
    await tx.query<{ others: number }>({ name: 'billing.count_other_transfers', text: countOthersText }, values),
  ).others;
}

const readTransferReturnsText = `
select count(*)::int as parts, coalesce(sum(amount_cents), 0)::text as cents
from billing.transfer_return where attempt_id = $1`;

/** Sums up the booked parts of a transfer that came back. The attempt must be locked. */
export async function readTransferReturns(tx: Transaction, attemptId: string) {
  const { parts, cents } = onlyRow(
    await tx.query<{ parts: number; cents: string }>(readTransferReturnsText, [attemptId]),
  );
  return { parts, cents: BigInt(cents) };
}

const insertText = `
insert into billing.transfer_return (attempt_id, place, builder_id, amount_cents, returned_at) values ($1, $2, $3, $4, $5)`;

export async function insertTransferReturn(
  tx: Transaction,
  { attemptId, builderId }: { readonly attemptId: string; readonly builderId: string },
  { place, cents, atMs }: ReturnedPart,
): Promise<void> {
  await tx.query(insertText, [attemptId, place, builderId, String(cents), toIso(atMs)]);
}
