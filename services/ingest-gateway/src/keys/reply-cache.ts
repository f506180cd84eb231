import type { Attempt } from '../submissions/attempt.ts';
import type { FirstEvent } from './judge-repeat.ts';
import type { ReplyQuestion } from './look-ups.ts';

/** The first answers of all gateways, in one place that they share. */
export interface ReplyCache {
  /** Calls exactly one of the question's two functions, within a bounded time. */
  find(question: CachedReplyQuestion): void;
  /**
   * Keeps the first event of an id; a later event changes nothing. Calls `onDone` as soon as all gateways can find it,
   * or, after a bounded time, when they cannot for now. Never throws.
   */
  save(eventId: string, first: FirstEvent, onDone: () => void): void;
}

export interface CachedReplyQuestion {
  readonly eventId: string;
  /** Undefined: the cache knows of no event with this id. */
  onAnswer(first: FirstEvent | undefined): void;
  /** The cache cannot be reached. */
  onAway(): void;
}

/**
 * Asks the cache, then the key table. The cache has events that are not counted yet; the key table has counted events,
 * also those that the cache lacks or has forgotten.
 */
export function createAskCacheFirst(
  cache: Pick<ReplyCache, 'find'>,
  lookUp: (question: ReplyQuestion) => void,
): (question: ReplyQuestion) => void {
  return function askCacheFirst(question) {
    cache.find({
      eventId: question.eventId,
      onAnswer: (first) => (first === undefined ? lookUp(question) : question.onAnswer(first)),
      onAway: () => lookUp(question),
    });
  };
}

/**
 * Saves each recorded event with a key in the cache before its caller gets the answer. So a repeat of an acknowledged
 * event is answered as a repeat at every gateway.
 */
export function createSaveReplies(
  cache: Pick<ReplyCache, 'save'>,
  appendEvent: (attempt: Attempt) => void,
): (attempt: Attempt) => void {
  return function appendAndSave(attempt) {
    const { submission } = attempt;
    const { eventId, bodyHash } = submission;
    if (bodyHash === undefined) return appendEvent(attempt);
    appendEvent({
      submission,
      settle(outcome) {
        if (outcome.kind !== 'recorded') return attempt.settle(outcome);
        cache.save(eventId, { bodyHash, occurredAt: outcome.occurredAt }, () => attempt.settle(outcome));
      },
    });
  };
}
