import { unreachable } from '@tollgate/kernel/unreachable';
import type { Queryable } from '@tollgate/database/database';
import type { Attempt, AttemptKind } from './attempt.ts';
import { listAttempts } from './sql-attempts.ts';
import type { Movement, MovementOrder, Movements, Processor } from './processor.ts';

/** Gives the order to the processor, with the attempt's key. */
export function orderMovement(processor: Processor, attempt: Attempt): Promise<Movement> {
  return visit(processor, attempt, (movements, order) => movements.create(order));
}

/**
 * What was made of the order; or, for the same subject, of a later order that the books have lost: where money has moved, it
 * is not moved again.
 */
export function createFindMade({ database, processor }: { database: Queryable; processor: Processor }) {
  return async function findMade(attempt: Attempt): Promise<Movement | undefined> {
    const made = await visit(processor, attempt, (movements, order) => movements.findAll(order));
    if (made.length === 0) return undefined;
    const attempts = await listAttempts(database, attempt.kind, attempt.subjectId);
    const others = attempts.filter(({ id }) => id !== attempt.id).flatMap(({ id, objectId }) => [id, objectId]);
    const free = made.filter(
      ({ attemptId = null, objectId }) => !others.includes(attemptId) && !others.includes(objectId),
    );
    return free.find(({ attemptId }) => attemptId === attempt.id) ?? free.find(({ status }) => status !== 'failed');
  };
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

type Ask<Answer> = <Order extends MovementOrder>(movements: Movements<Order>, order: Order) => Promise<Answer>;

function visit<Answer>(processor: Processor, attempt: Attempt, ask: Ask<Answer>): Promise<Answer> {
  const { id: attemptId, idempotencyKey, amountCents, kind, subjectId, partyId, paymentMethodId } = attempt;
  const common = { attemptId, idempotencyKey, amountCents };
  switch (kind) {
    case 'charge': {
      if (paymentMethodId === null) throw new Error(`attempt ${attemptId} has nothing to charge`);
      const charge = { ...common, processorCustomerId: partyId, paymentMethodId, invoiceId: subjectId };
      return ask(processor.charges, charge);
    }
    case 'refund':
      return ask(processor.refunds, { ...common, chargeObjectId: partyId, refundId: subjectId });
    case 'transfer':
      return ask(processor.transfers, { ...common, processorAccountId: partyId, payoutId: subjectId });
    default:
      return unreachable(kind);
  }
}
