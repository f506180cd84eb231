import type { Attempt } from '../submissions/attempt.ts';
import type { ReplyCache } from './reply-cache.ts';

/**
 * Saves each recorded event with a key in the cache before its caller gets the answer. So a repeat of an acknowledged
 * event is answered as a repeat at every gateway.
 */
export function createSaveReplies(
  cache: Pick<ReplyCache, 'save'>,
  appendEvent: (attempt: Attempt) => void,
): (attempt: Attempt) => void {
  return function appendAndSave(attempt) {
    const { submission, settle } = attempt;
    const { eventId, bodyHash } = submission;
    if (bodyHash === undefined) return appendEvent(attempt);
    appendEvent({
      submission,
      settle(outcome) {
        if (outcome.kind !== 'recorded') return settle(outcome);
        cache.save(eventId, { bodyHash, occurredAt: outcome.occurredAt }, () => settle(outcome));
      },
    });
  };
}
