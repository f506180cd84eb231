/**
 * The same key again, while and after the first one is on its way.
 *
 *   unseen ──▶ leading: looked up, then appended ──▶ durable: remembered, followers are answered as repeats of it
 *                │                               ├──▶ rejected: the next follower leads
 *                └── same key meanwhile: follows └──▶ unknown: so are its followers
 *
 * A leader is in `inFlight` until the append itself has ended, not until its caller was told 503: a retry waits for what
 * the first attempt becomes, and is a repeat if that was durable after all.
 */
import { judgeRepeat, type FirstEvent } from '../replies/judge-repeat.ts';
import type { Outcome } from './outcome.ts';
import type { Submission } from './submission.ts';
import type { Attempt } from './attempt.ts';
import type { ReplyQuestion } from '../replies/look-up-reply.ts';
import type { ReplyMemory } from '../replies/reply-memory.ts';

export interface RecordEventDeps {
  readonly memory: ReplyMemory;
  readonly lookUpReply: (question: ReplyQuestion) => void;
  readonly appendEvent: (attempt: Attempt) => void;
}

/** Records one event, or answers the repeat of one. Events without a key pass straight through. */
export function createRecordEvent({ memory, lookUpReply, appendEvent }: RecordEventDeps): (attempt: Attempt) => void {
  const inFlight = new Map<string, Attempt[]>();

  return function recordEvent(attempt) {
    const { eventId, bodyHash } = attempt.submission;
    if (bodyHash === undefined) {
      appendEvent(attempt);
      return;
    }
    const first = memory.get(eventId);
    const followers = inFlight.get(eventId);
    if (first !== undefined) attempt.settle(judgeRepeat(attempt.submission, first));
    else if (followers !== undefined) followers.push(attempt);
    else lead(attempt);
  };

  function lead(attempt: Attempt): void {
    const { eventId } = attempt.submission;
    inFlight.set(eventId, []);
    lookUpReply({
      eventId,
      onAnswer(first) {
        if (first === undefined) return append(attempt);
        attempt.settle(judgeRepeat(attempt.submission, first));
        answerFollowers(eventId, first);
      },
    });
  }

  function append({ submission, settle }: Attempt): void {
    appendEvent({
      submission,
      settle(outcome) {
        settle(outcome);
        letFollow(submission, outcome);
      },
    });
  }

  function letFollow({ eventId, bodyHash = '' }: Submission, outcome: Outcome): void {
    switch (outcome.kind) {
      case 'recorded':
      case 'duplicate':
        return answerFollowers(eventId, { bodyHash, occurredAt: outcome.occurredAt });
      case 'rejected':
        return promote(eventId);
      case 'unknown':
        return release(eventId).forEach(({ settle }) => settle(outcome));
    }
  }

  function answerFollowers(eventId: string, first: FirstEvent): void {
    memory.put(eventId, first);
    for (const { submission, settle } of release(eventId)) settle(judgeRepeat(submission, first));
  }

  /** In a microtask: a thousand followers that are rejected one by one must not nest. */
  function promote(eventId: string): void {
    const next = inFlight.get(eventId)?.shift();
    if (next === undefined) inFlight.delete(eventId);
    else queueMicrotask(() => append(next));
  }

  function release(eventId: string): readonly Attempt[] {
    const followers = inFlight.get(eventId) ?? [];
    inFlight.delete(eventId);
    return followers;
  }
}
