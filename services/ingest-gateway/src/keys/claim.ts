/**
 * Attempts with the same key, while the first of them is under way and afterwards.
 *
 *   unseen ──▶ leading: looked up, then appended ──▶ durable: remembered, followers are answered as its repeats
 *                │                               ├──▶ rejected: the next follower leads
 *                └── same key meanwhile: follows └──▶ unknown: followers have the same outcome
 *
 * A log that lies beside the key table looks up and appends in one (`look-ups.ts`).
 * A leader stays in `inFlight` until its append has ended, even if its caller got a 503 before. So a retry waits for the
 * first attempt's outcome, and it is a repeat if that append became durable after all.
 */
import type { Attempt } from '../submissions/attempt.ts';
import type { Outcome } from '../submissions/outcome.ts';
import type { Submission } from '../submissions/submission.ts';
import { judgeRepeat, type FirstEvent } from './judge-repeat.ts';
import type { ReplyQuestion } from './look-ups.ts';
import type { ReplyMemory } from './reply-memory.ts';

/** The ways of a claimed event into the log. Each settles the attempt once. */
export interface Appends {
  /**
   * Finds the tool, decides and appends, for an event that is not known to be a repeat. All of it happens in this call when
   * memory has the tool.
   */
  appendEvent(attempt: Attempt): void;
  /**
   * Appends unless the event is counted, if nothing but its key stands in the way. False: nothing was done, and whether the
   * event is a repeat comes first. A repeat is answered also if its tool is archived, and takes nothing from a cap.
   */
  appendUnlessCounted(attempt: Attempt, unlessCounted: UnlessCounted): boolean;
}

/** A condition of an append, for a log that can check it. */
export interface UnlessCounted {
  readonly eventId: string;
  /** The record is not in the log: this event, or another of the same append, is counted, or nobody could tell in time. */
  onNotAppended(): void;
}

/** Settles the attempt as a repeat if its key is known, and appends its event otherwise. */
export type Claim = (attempt: Attempt) => void;

export interface ClaimDeps extends Appends {
  readonly memory: ReplyMemory;
  readonly lookUpReply: (question: ReplyQuestion) => void;
}

/** An event without a key goes straight to the append. */
export function createClaim({ memory, lookUpReply, appendEvent, appendUnlessCounted }: ClaimDeps): Claim {
  const inFlight = new Map<string, Attempt[]>();

  return function claim(attempt) {
    const { eventId, bodyHash } = attempt.submission;
    if (bodyHash === undefined) return appendEvent(attempt);
    const first = memory.get(eventId);
    const followers = inFlight.get(eventId);
    if (first !== undefined) attempt.settle(judgeRepeat(attempt.submission, first));
    else if (followers !== undefined) followers.push(attempt);
    else lead(attempt);
  };

  function lead(attempt: Attempt): void {
    const { eventId } = attempt.submission;
    inFlight.set(eventId, []);
    const onAnswer = (first: FirstEvent | undefined): void => {
      if (first === undefined) return appendEvent(leading(attempt));
      attempt.settle(judgeRepeat(attempt.submission, first));
      answerFollowers(eventId, first);
    };
    const lookUp = (): void => lookUpReply({ eventId, onAnswer });
    if (!appendUnlessCounted(leading(attempt), { eventId, onNotAppended: lookUp })) lookUp();
  }

  function leading(attempt: Attempt): Attempt {
    const { submission } = attempt;
    return {
      submission,
      settle(outcome) {
        attempt.settle(outcome);
        letFollow(submission, outcome);
      },
    };
  }

  function letFollow({ eventId, bodyHash = '' }: Submission, outcome: Outcome): void {
    switch (outcome.kind) {
      case 'recorded':
      case 'duplicate':
        return answerFollowers(eventId, { bodyHash, occurredAt: outcome.occurredAt });
      case 'rejected':
        return promote(eventId);
      case 'unknown':
        return release(eventId).forEach((follower) => follower.settle(outcome));
    }
  }

  function answerFollowers(eventId: string, first: FirstEvent): void {
    memory.put(eventId, first);
    for (const follower of release(eventId)) follower.settle(judgeRepeat(follower.submission, first));
  }

  /** The next append runs in a microtask, so the stack does not grow when a thousand followers are rejected in turn. */
  function promote(eventId: string): void {
    const next = inFlight.get(eventId)?.shift();
    if (next === undefined) inFlight.delete(eventId);
    else queueMicrotask(() => appendEvent(leading(next)));
  }

  function release(eventId: string): readonly Attempt[] {
    const followers = inFlight.get(eventId) ?? [];
    inFlight.delete(eventId);
    return followers;
  }
}
