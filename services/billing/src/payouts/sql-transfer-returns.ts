import { toIso } from '@tollgate/kernel/clock';
import { onlyRow, type Transaction } from '@tollgate/database/database';
import type { ReturnedPart } from './payout-postings.ts';

const readText = `
select count(*)::int as parts, coalesce(sum(amount_cents), 0)::text as cents
from billing.transfer_return where attempt_id = $1`;

/** Sums up the booked parts of a transfer that came back. The attempt must be locked. */
export async function readTransferReturns(tx: Transaction, attemptId: string) {
  const { parts, cents } = onlyRow(await tx.query<{ parts: number; cents: string }>(readText, [attemptId]));
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

const takenText = `
select coalesce(sum(amount_cents), 0)::text as cents from billing.transfer_return
where builder_id = $1 and payout_id is not distinct from $2`;

/** Sums up the parts of transfers that this payout took, or with null those that no payout has taken. */
export async function readReturnedCents(tx: Transaction, builderId: string, payoutId: string | null): Promise<bigint> {
  return BigInt(onlyRow(await tx.query<{ cents: string }>(takenText, [builderId, payoutId])).cents);
}
