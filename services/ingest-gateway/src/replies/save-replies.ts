import type { Attempt } from '../recording/attempt.ts';
import type { ReplyCache } from '../ports.ts';

/**
 * Tells the cache of each event with a key that has become durable, and only then its caller: who repeats what was
 * acknowledged, at whichever gateway, is answered as repeating it.
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
