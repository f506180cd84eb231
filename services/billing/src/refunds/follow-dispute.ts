import type { Clock } from '@tollgate/kernel/clock';
import { uuidV8 } from '@tollgate/kernel/uuid';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Database, Transaction } from '@tollgate/database/database';
import { addDispute, closeDispute, lockDispute } from './sql-disputes.ts';
import { findInvoiceOfCharge, isStrayCharge } from '../collection/sql-charges.ts';
import { lockInvoice } from '../invoicing/sql-invoices.ts';
import { insertRefund } from './sql-refunds.ts';
import { applyRefund } from './apply-refund.ts';
import type { Processor, ProcessorDispute } from '../processor/processor.ts';

export interface FollowDisputeDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly processor: Pick<Processor, 'name' | 'disputes'>;
}

/**
 * Reads a dispute at the processor and applies its state. The processor takes the money of a lost dispute, so that is
 * stored as a refund that nobody ordered. A dispute is closed once and never opened again, in whatever order notices
 * come (F62, F63). A dispute of a charge that is not ours is ignored.
 */
export function createFollowDispute({ database, clock, log, processor }: FollowDisputeDeps) {
  return async function followDispute(disputeObjectId: string): Promise<void> {
    const dispute = await processor.disputes.read(disputeObjectId);
    const charge = { processor: processor.name, objectId: dispute.chargeObjectId };
    const invoiceId = await findInvoiceOfCharge(database, charge);
    if (invoiceId === undefined) {
      log.warn({ dispute: disputeObjectId }, 'ignored a dispute of a charge that is not ours');
      return;
    }
    await database.transaction((tx) => follow(tx, dispute, invoiceId));
  };

  async function follow(tx: Transaction, dispute: ProcessorDispute, invoiceId: string): Promise<void> {
    const id = uuidV8('dispute', processor.name, dispute.objectId);
    await lockInvoice(tx, invoiceId);
    await addDispute(tx, { id, processor: processor.name, invoiceId }, dispute);
    const known = await lockDispute(tx, id);
    if (known !== 'open' || dispute.status === 'open') return;
    const refundId = dispute.status === 'lost' ? await takeBack(tx, { ...dispute, invoiceId, disputeId: id }) : null;
    await closeDispute(tx, id, { status: dispute.status, refundId, closedAtMs: clock.now() });
  }

  async function takeBack(tx: Transaction, lost: LostDispute): Promise<string> {
    const { disputeId, invoiceId, amountCents } = lost;
    const refundId = uuidV8('refund', 'dispute', disputeId);
    const nowMs = clock.now();
    const state = { cause: 'dispute', status: 'succeeded', failureCode: null } as const;
    await insertRefund(tx, {
      id: refundId,
      invoiceId,
      amountCents,
      ...state,
      createdAtMs: nowMs,
      succeededAtMs: nowMs,
    });
    const isOfStray = await isStrayCharge(tx, { processor: processor.name, objectId: lost.chargeObjectId });
    await applyRefund(tx, { id: refundId, invoiceId, amountCents, appliedAtMs: nowMs, isOfStray });
    return refundId;
  }
}

interface LostDispute {
  readonly disputeId: string;
  readonly invoiceId: string;
  readonly amountCents: bigint;
  readonly chargeObjectId: string;
}
