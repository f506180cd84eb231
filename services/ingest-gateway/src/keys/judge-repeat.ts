import { AppError } from '@tollgate/kernel/app-error';
import type { Outcome } from '../submissions/outcome.ts';
import type { Submission } from '../submissions/submission.ts';

/** The first event with a key. It needs no tool: equal bodies have equal tools. */
export interface FirstEvent {
  readonly bodyHash: string;
  readonly occurredAt: string;
}

/** Compares a repeated key with its first event. The same body is the same event at any time; another body is refused. */
export function judgeRepeat({ eventId, bodyHash }: Submission, first: FirstEvent): Outcome {
  if (bodyHash === first.bodyHash) {
    return { kind: 'duplicate', eventId, occurredAt: first.occurredAt };
  }
  const message =
    'This idempotency_key was first used with another event; nothing was counted. Use a new key for a new event.';
  return { kind: 'rejected', error: new AppError('idempotency_conflict', message) };
}
