import type { ReplyQuestion } from './look-ups.ts';
import type { ReplyCache } from './reply-cache.ts';

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
