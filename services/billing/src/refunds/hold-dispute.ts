import { centsToMicros } from '@tollgate/kernel/whole-cents';
import type { Transaction } from '@tollgate/database/database';
import { lockBuilderGross } from '../fees/sql-builder-gross.ts';
import { planRefund } from './plan-refund.ts';
import { hasDisputeHold, insertDisputeHolds } from './sql-dispute-holds.ts';
import { readRefundableLines } from './sql-refunds.ts';

export interface DisputeToHold {
  readonly disputeId: string;
  readonly invoiceId: string;
  readonly amountCents: bigint;
}

/**
 * Sets aside what each builder would give back if the dispute were lost now, so that no payout takes it meanwhile. A
 * dispute has its shares once. The invoice must be locked; the builders' gross is, as for a payout, so that a payout sees
 * either the shares or comes before them.
 */
export async function holdDispute(tx: Transaction, { disputeId, invoiceId, amountCents }: DisputeToHold) {
  if (await hasDisputeHold(tx, disputeId)) return;
  const lines = await readRefundableLines(tx, invoiceId);
  const gross = await lockBuilderGross(tx, lines);
  const plan = planRefund({ amountMicros: centsToMicros(amountCents), lines, gross });
  const shares = plan.entries.flatMap(({ kind, ownerId, amountMicros }) =>
    kind === 'builder_payable' && ownerId !== null && amountMicros > 0n ? [{ builderId: ownerId, amountMicros }] : [],
  );
  await insertDisputeHolds(tx, disputeId, shares);
}
