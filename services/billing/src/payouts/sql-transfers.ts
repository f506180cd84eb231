import { type Transaction, onlyRow } from '@tollgate/database/database';
import type { AttemptStatus } from '../processor/attempt.ts';

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
