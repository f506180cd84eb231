import { AppError } from '@tollgate/kernel/app-error';
import type { Outcome } from '../recording/outcome.ts';
import type { Submission } from '../recording/submission.ts';

/** The first event with a key. Its tool needs no place here: equal bodies have equal tools. */
export interface FirstEvent {
  readonly bodyHash: string;
  readonly occurredAt: string;
}

/** The same key again: with the same body it is the same event, whenever it comes; with another it is refused. */
export function judgeRepeat({ eventId, bodyHash }: Submission, first: FirstEvent): Outcome {
  if (bodyHash === first.bodyHash) return { kind: 'duplicate', eventId, occurredAt: first.occurredAt };
  const message =
    'This idempotency_key was first used with another event; nothing was counted. Use a new key for a new event.';
  return { kind: 'rejected', error: new AppError('idempotency_conflict', message) };
}
