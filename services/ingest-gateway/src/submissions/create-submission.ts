import { bodyHashOf } from '@tollgate/contracts/events/event-record';
import type { EventInput } from '@tollgate/contracts/events/events';
import { capturedEventId, createEventId } from '@tollgate/kernel/event-id';
import type { Pass } from '../passes/pass.ts';
import type { EventIds } from './event-ids.ts';
import type { Submission } from './submission.ts';

export interface Receipt {
  readonly consumerId: string;
  readonly pass?: Pass | undefined;
  readonly receivedAtMs: number;
  readonly expiresAtMs: number;
  readonly eventIds: Pick<EventIds, 'of'>;
}

/** An authorization or an idempotency key decides the id, so a repeat has the same id at every gateway and at any time. */
export function createSubmission(event: EventInput, receipt: Receipt, traceparent?: string): Submission {
  const { consumerId, pass, receivedAtMs, expiresAtMs } = receipt;
  const isRepeatable = event.idempotency_key !== undefined || event.authorization_id !== undefined;
  const bodyHash = isRepeatable ? bodyHashOf(event) : undefined;
  const eventId = eventIdOf(event, receipt);
  return { consumerId, pass, eventId, event, bodyHash, receivedAtMs, expiresAtMs, traceparent };
}

function eventIdOf(event: EventInput, { consumerId, pass, receivedAtMs, eventIds }: Receipt): string {
  const { idempotency_key: key, authorization_id: authorizationId, call_index: callIndex } = event;
  if (authorizationId !== undefined) return capturedEventId(authorizationId, pass?.passId ?? consumerId, callIndex);
  return key === undefined ? createEventId(receivedAtMs) : eventIds.of({ accountId: consumerId, key });
}
