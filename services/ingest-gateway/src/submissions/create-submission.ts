import { bodyHashOf } from '@tollgate/contracts/event-record';
import type { EventInput } from '@tollgate/contracts/events';
import { createEventId } from '@tollgate/kernel/event-id';
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

/** An idempotency key decides the id, so a repeat has the same id at every gateway and at any time. */
export function createSubmission(event: EventInput, receipt: Receipt): Submission {
  const { consumerId, pass, receivedAtMs, expiresAtMs, eventIds } = receipt;
  const key = event.idempotency_key;
  const eventId = key === undefined ? createEventId(receivedAtMs) : eventIds.of({ accountId: consumerId, key });
  const bodyHash = key === undefined ? undefined : bodyHashOf(event);
  return { consumerId, pass, eventId, event, bodyHash, receivedAtMs, expiresAtMs };
}
