import type { FirstEvent } from './judge-repeat.ts';

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
