import { bodyHashOf } from '@tollgate/contracts/event-record';
import type { EventInput } from '@tollgate/contracts/events';
import { createEventId, keyedEventId } from '@tollgate/kernel/event-id';
import type { Submission } from './submission.ts';

export interface Receipt {
  readonly consumerId: string;
  readonly receivedAtMs: number;
  readonly expiresAtMs: number;
}

/** An idempotency key decides the id, so a repeat has the same id at every gateway and at any time. */
export function createSubmission(event: EventInput, { consumerId, receivedAtMs, expiresAtMs }: Receipt): Submission {
  const key = event.idempotency_key;
  const eventId = key === undefined ? createEventId(receivedAtMs) : keyedEventId(consumerId, key);
  const bodyHash = key === undefined ? undefined : bodyHashOf(event);
  return { consumerId, eventId, event, bodyHash, receivedAtMs, expiresAtMs };
}
