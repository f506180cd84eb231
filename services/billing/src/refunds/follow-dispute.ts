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
 * Reads a dispute again and writes down what became of it. One that is lost took its money from us: it is a refund that
 * nobody ordered. Forward only, once, whatever came when (F62, F63).
 */
export function createFollowDispute({ database, clock, log, processor }: FollowDisputeDeps) {
  return async function followDispute(disputeObjectId: string): Promise<void> {
    const told = await processor.disputes.read(disputeObjectId);
    const charge = { processor: processor.name, objectId: told.chargeObjectId };
    const invoiceId = await findInvoiceOfCharge(database, charge);
    if (invoiceId === undefined) {
      log.warn({ dispute: disputeObjectId }, 'a dispute of a charge that is not ours');
      return;
    }
    await database.transaction((tx) => follow(tx, told, invoiceId));
  };

  async function follow(tx: Transaction, told: ProcessorDispute, invoiceId: string): Promise<void> {
    const id = uuidV8('dispute', processor.name, told.objectId);
    await lockInvoice(tx, invoiceId);
    await addDispute(tx, { id, processor: processor.name, invoiceId }, told);
    const known = await lockDispute(tx, id);
    if (known !== 'open' || told.status === 'open') return;
    const refundId = told.status === 'lost' ? await takeBack(tx, { ...told, invoiceId, disputeId: id }) : null;
    await closeDispute(tx, id, { status: told.status, refundId, closedAtMs: clock.now() });
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
