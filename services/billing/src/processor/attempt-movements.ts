import { unreachable } from '@tollgate/kernel/unreachable';
import type { Queryable } from '@tollgate/database/database';
import type { Attempt, AttemptKind } from './attempt.ts';
import { listAttempts } from './sql-attempts.ts';
import type { ExistingMovement, Movement, MovementOrder, Movements, Processor } from './processor.ts';

/** Gives the order to the processor, under the attempt's key. */
export function orderMovement(processor: Processor, attempt: Attempt): Promise<Movement> {
  return withPort(processor, attempt, (port, order) => port.create(order));
}

/**
 * Finds the attempt's movement at the processor. If there is none, finds a movement of the same subject that did not
 * fail and that no attempt in the books knows. A restored backup has lost the order of such a movement. Its money has
 * moved, and must not move twice.
 */
export function createFindExistingMovement({ database, processor }: { database: Queryable; processor: Processor }) {
  return async function findExistingMovement(attempt: Attempt): Promise<Movement | undefined> {
    const movements = await withPort(processor, attempt, (port, order) => port.findAll(order));
    if (movements.length === 0) return undefined;
    const attempts = await listAttempts(database, attempt.kind, attempt.subjectId);
    const others = attempts.filter(({ id }) => id !== attempt.id).flatMap(({ id, objectId }) => [id, objectId]);
    const free = movements.filter(
      ({ attemptId = null, objectId }) => !others.includes(attemptId) && !others.includes(objectId),
    );
    return free.find(({ attemptId }) => attemptId === attempt.id) ?? free.find(({ status }) => status !== 'failed');
  };
}

/** Reads a movement at the processor. Throws `not_found` if it has no such object. */
export function readMovement(processor: Processor, kind: AttemptKind, objectId: string): Promise<ExistingMovement> {
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

type PortCall<Answer> = <Order extends MovementOrder>(port: Movements<Order>, order: Order) => Promise<Answer>;

function withPort<Answer>(processor: Processor, attempt: Attempt, call: PortCall<Answer>): Promise<Answer> {
  const { id: attemptId, idempotencyKey, amountCents, kind, subjectId, partyId, paymentMethodId, isOfTopUp } = attempt;
  const common = { attemptId, idempotencyKey, amountCents };
  switch (kind) {
    case 'charge': {
      if (paymentMethodId === null) throw new Error(`attempt ${attemptId} has no payment method to charge`);
      const subject = isOfTopUp ? { topUpId: subjectId } : { invoiceId: subjectId };
      return call(processor.charges, { ...common, processorCustomerId: partyId, paymentMethodId, ...subject });
    }
    case 'refund':
      return call(processor.refunds, { ...common, chargeObjectId: partyId, refundId: subjectId });
    case 'transfer':
      return call(processor.transfers, { ...common, processorAccountId: partyId, payoutId: subjectId });
    default:
      return unreachable(kind);
  }
}
