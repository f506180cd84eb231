import { toIso } from '@tollgate/kernel/clock';
import type { Transaction } from '@tollgate/database/database';

const lockText = `select pg_advisory_xact_lock(hashtextextended('sandbox:' || $1, 0))`;

/**
 * Locks a name until the transaction ends. Other transactions with this name wait, and then see the effect of this one.
 */
export async function lockInSandbox(tx: Transaction, name: string): Promise<void> {
  await tx.query(lockText, [name]);
}

export interface SandboxCharge {
  readonly objectId: string;
  /** Its invoice or top-up. */
  readonly subjectId: string;
  /** The part of the charge that was neither refunded nor taken by a dispute, also by one that is open, in cents. */
  readonly leftCents: bigint;
}

// Refunds and disputes both hold the charge's lock, so the sums stay true until the transaction ends.
const readText = `
select charge.object_id as "objectId", charge.subject_id as "subjectId", charge.amount_cents
  - (select coalesce(sum(refund.amount_cents), 0)::bigint from sandbox.movement refund
     where refund.kind = 'refund' and refund.party_id = charge.object_id and refund.status = 'succeeded'
       and (refund.reverses_at is null or refund.reverses_at > $2))
  - (select coalesce(sum(dispute.amount_cents), 0)::bigint from sandbox.dispute
     where dispute.charge_id = charge.object_id and dispute.status <> 'won') as "leftCents"
from sandbox.movement charge
where charge.kind = 'charge' and charge.status = 'succeeded' and charge.object_id = $1`;

/** Locks a charge and reads what is left of it. Undefined if there is no such charge, or it did not succeed. */
export async function lockSandboxCharge(
  tx: Transaction,
  objectId: string,
  nowMs: number,
): Promise<SandboxCharge | undefined> {
  await lockInSandbox(tx, objectId);
  const [charge] = await tx.query<SandboxCharge & object>(readText, [objectId, toIso(nowMs)]);
  return charge;
}
