import { uuidV8 } from '@tollgate/kernel/uuid';
import type { Transaction } from '@tollgate/database/database';
import { lockTopUp, findTopUpRefund } from '../balance/sql-top-ups.ts';
import { giveTopUpBack, takeTopUpBack } from '../balance/take-top-up-back.ts';
import { findStrayToGiveBack } from '../collection/part-payments.ts';
import { findSubjectOfCharge } from '../collection/sql-charges.ts';
import { lockInvoice } from '../invoicing/sql-invoices.ts';
import type { ExistingMovement } from '../processor/processor.ts';
import { applyRefund, bookForeignFee, keepReturnedRefund } from './apply-refund.ts';
import type { FollowDisputeDeps } from './follow-dispute.ts';
import { findRefund, insertRefund } from './sql-refunds.ts';

/** The id under which a refund of the processor is in our books, if nobody ordered it here. */
export function foreignRefundId(processor: string, objectId: string): string {
  return uuidV8('refund', processor, objectId);
}

/**
 * Books a refund that nobody ordered here: somebody made it at the processor, by hand or by a rule. Its money is gone,
 * so builders and platform give back their parts, as with a lost dispute (F122). A refund of a charge that is not ours
 * is ignored. So is one that bears the mark of an order: a restored backup has lost that order, and giving it again
 * finds the refund. Safe to repeat.
 */
export function createFollowForeignRefund({ database, clock, log, processor }: FollowDisputeDeps) {
  return async function followForeignRefund(refund: ExistingMovement): Promise<void> {
    const charge = { processor: processor.name, objectId: refund.partyId ?? '' };
    const subject = await findSubjectOfCharge(database, charge);
    if (subject === undefined || refund.attemptId !== undefined) {
      log.warn({ refund: refund.objectId }, 'ignored a refund whose charge or order is not ours');
      return;
    }
    await database.transaction((tx) => (subject.kind === 'invoice' ? follow : followOfTopUp)(tx, refund, subject.id));
  };

  async function follow(tx: Transaction, refund: ExistingMovement, invoiceId: string): Promise<void> {
    const id = foreignRefundId(processor.name, refund.objectId);
    await lockInvoice(tx, invoiceId);
    const isKnown = (await findRefund(tx, id)) !== undefined;
    const { amountCents, status } = refund;
    if (status === 'succeeded' && !isKnown) await book(tx, refund, { id, invoiceId });
    if (status === 'reversed' && isKnown) {
      const returned = { refundId: id, attemptNumber: 1, amountCents, returnedAtMs: clock.now() };
      await keepReturnedRefund(tx, log, returned);
    }
  }

  async function followOfTopUp(tx: Transaction, refund: ExistingMovement, topUpId: string): Promise<void> {
    const { amountCents, objectId, status } = refund;
    const id = foreignRefundId(processor.name, objectId);
    const topUp = await lockTopUp(tx, topUpId);
    const isKnown = (await findTopUpRefund(tx, id)) !== undefined;
    const nowMs = clock.now();
    if (status === 'succeeded' && !isKnown) {
      const origin = { processor: processor.name, objectId };
      await takeTopUpBack(tx, log, { id, topUp, amountCents, cause: 'processor', origin, nowMs });
      await bookForeignFee(tx, { movementId: id, cents: refund.feeCents, occurredAtMs: nowMs });
      log.warn({ refund: id, top_up: topUpId }, 'booked a refund that somebody made at the processor');
    }
    if (status === 'reversed' && isKnown)
      await giveTopUpBack(tx, { id: uuidV8('refund', 'returned', id), refundId: id, nowMs });
  }

  async function book(tx: Transaction, refund: ExistingMovement, known: { id: string; invoiceId: string }) {
    const { amountCents, objectId, partyId: chargeObjectId = '' } = refund;
    const nowMs = clock.now();
    const state = { cause: 'processor', status: 'succeeded', failureCode: null } as const;
    const object = { processor: processor.name, objectId };
    const charge = { processor: processor.name, objectId: chargeObjectId, invoiceId: known.invoiceId, nowMs };
    const strayAttemptId = await findStrayToGiveBack(tx, charge);
    const at = { createdAtMs: nowMs, succeededAtMs: nowMs };
    await insertRefund(tx, { ...known, ...state, amountCents, ...at }, { ...object, strayAttemptId, chargeObjectId });
    await applyRefund(tx, { ...known, amountCents, appliedAtMs: nowMs, strayAttemptId });
    await bookForeignFee(tx, { movementId: known.id, cents: refund.feeCents, occurredAtMs: nowMs });
    log.warn({ refund: known.id, invoice: known.invoiceId }, 'booked a refund that somebody made at the processor');
  }
}
