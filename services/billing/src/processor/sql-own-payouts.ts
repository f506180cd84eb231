import { toIso } from '@tollgate/kernel/clock';
import { onlyRow, type Queryable, type Transaction } from '@tollgate/database/database';
import type { OwnPayout } from './processor.ts';

const addText = `
insert into billing.own_payout (own_payout_id, processor, object_id, amount_cents, taken_cents, fee_cents, postings, made_at)
values ($1, $2, $3, $4, 0, 0, 0, $5)
on conflict do nothing`;

/** Stores a payout of the platform, unless it is known. */
export async function addOwnPayout(tx: Transaction, known: { id: string; processor: string }, payout: OwnPayout) {
  const values = [known.id, known.processor, payout.objectId, String(payout.amountCents), toIso(payout.createdAtMs)];
  await tx.query(addText, values);
}

/** The posted part of a payout. */
export interface PostedOwnPayout {
  readonly takenCents: bigint;
  readonly feeCents: bigint;
  readonly postings: number;
}

const lockText = `select taken_cents, fee_cents, postings from billing.own_payout where own_payout_id = $1 for update`;

/** Locks the payout until the transaction ends. */
export async function lockOwnPayout(tx: Transaction, id: string): Promise<PostedOwnPayout> {
  const row = onlyRow(await tx.query<{ taken_cents: string; fee_cents: string; postings: number }>(lockText, [id]));
  return { takenCents: BigInt(row.taken_cents), feeCents: BigInt(row.fee_cents), postings: row.postings };
}

const postedText = `update billing.own_payout set taken_cents = $2, fee_cents = $3, postings = $4 where own_payout_id = $1`;

export async function setOwnPayoutPosted(tx: Transaction, id: string, posted: PostedOwnPayout): Promise<void> {
  await tx.query(postedText, [id, String(posted.takenCents), String(posted.feeCents), posted.postings]);
}

const unbookedText = `
select p.object_id from unnest($2::text[], $3::numeric[], $4::numeric[]) as p (object_id, taken_cents, fee_cents)
where not exists (select from billing.own_payout o where o.processor = $1 and o.object_id = p.object_id
  and o.taken_cents = p.taken_cents and o.fee_cents = p.fee_cents)`;

/** Returns the ids of those that are not booked as they are. */
export async function findUnbookedOwnPayouts(
  db: Queryable,
  processor: string,
  payouts: readonly OwnPayout[],
): Promise<string[]> {
  const rows = await db.query<{ object_id: string }>(unbookedText, [
    processor,
    payouts.map(({ objectId }) => objectId),
    payouts.map(({ takenCents }) => String(takenCents)),
    payouts.map(({ feeCents }) => String(feeCents)),
  ]);
  return rows.map(({ object_id: id }) => id);
}
