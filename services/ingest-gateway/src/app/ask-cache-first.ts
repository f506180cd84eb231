import type { ReplyQuestion } from './look-up-reply.ts';
import type { ReplyCache } from './ports.ts';

/** The cache's word is final, so that new keys cost the database nothing; the key table is asked while it has none. */
export function createAskCacheFirst(
  cache: Pick<ReplyCache, 'find'>,
  lookUp: (question: ReplyQuestion) => void,
): (question: ReplyQuestion) => void {
  return function askCacheFirst(question) {
    const { eventId, onAnswer } = question;
    cache.find({ eventId, onAnswer, onAway: () => lookUp(question) });
  };
}
