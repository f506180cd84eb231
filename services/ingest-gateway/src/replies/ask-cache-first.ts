import type { ReplyQuestion } from './look-up-reply.ts';
import type { ReplyCache } from '../ports.ts';

/** The cache knows what is not counted yet; what it lacks or has forgotten may have been counted, so the key table is asked. */
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
