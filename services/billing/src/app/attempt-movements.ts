import { unreachable } from '@tollgate/kernel/unreachable';
import type { Attempt, AttemptKind } from '../domain/attempts/attempt.ts';
import type { Movement, Processor } from './processor.ts';

/** Gives the order to the processor, with the attempt's key. */
export function orderMovement(processor: Processor, attempt: Attempt): Promise<Movement> {
  return visit(processor, attempt, 'create') as Promise<Movement>;
}

/** What was made of the order, if it ever arrived. */
export function findMovement(processor: Processor, attempt: Attempt): Promise<Movement | undefined> {
  return visit(processor, attempt, 'find');
}

export function readMovement(processor: Processor, kind: AttemptKind, objectId: string): Promise<Movement> {
  switch (kind) {
    case 'charge':
      return processor.charges.read(objectId);
    case 'refund':
      return processor.refunds.read(objectId);
    case 'transfer':
      return processor.transfers.read(objectId);
    default:
      return unreachable(kind);
  }
}

function visit(processor: Processor, attempt: Attempt, method: 'create' | 'find'): Promise<Movement | undefined> {
  const { id: attemptId, idempotencyKey, amountCents, kind, subjectId, partyId, paymentMethodId } = attempt;
  const common = { attemptId, idempotencyKey, amountCents };
  switch (kind) {
    case 'charge': {
      if (paymentMethodId === null) throw new Error(`attempt ${attemptId} has nothing to charge`);
      const charge = { ...common, processorCustomerId: partyId, paymentMethodId, invoiceId: subjectId };
      return processor.charges[method](charge);
    }
    case 'refund':
      return processor.refunds[method]({ ...common, chargeObjectId: partyId, refundId: subjectId });
    case 'transfer':
      return processor.transfers[method]({ ...common, processorAccountId: partyId, payoutId: subjectId });
    default:
      return unreachable(kind);
  }
}
