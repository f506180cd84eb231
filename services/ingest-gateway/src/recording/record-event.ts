/**
 * Attempts with the same key, while the first of them is under way and afterwards.
 *
 *   unseen ──▶ leading: looked up, then appended ──▶ durable: remembered, followers are answered as its repeats
 *                │                               ├──▶ rejected: the next follower leads
 *                └── same key meanwhile: follows └──▶ unknown: followers have the same outcome
 *
 * A log that lies beside the key table looks up and appends in one (`replies/look-ups.ts`).
 * A leader stays in `inFlight` until its append has ended, even if its caller got a 503 before. So a retry waits for the
 * first attempt's outcome, and it is a repeat if that append became durable after all.
 */
import { judgeRepeat, type FirstEvent } from '../replies/judge-repeat.ts';
import type { Outcome } from '../submissions/outcome.ts';
import type { Submission } from '../submissions/submission.ts';
import type { Attempt } from '../submissions/attempt.ts';
import type { AppendEvent } from './append-event.ts';
import type { ReplyQuestion } from '../replies/look-ups.ts';
import type { ReplyMemory } from '../replies/reply-memory.ts';

export interface RecordEventDeps {
  readonly memory: ReplyMemory;
  readonly lookUpReply: (question: ReplyQuestion) => void;
  readonly appendEvent: AppendEvent['appendEvent'];
  readonly appendUnlessCounted: AppendEvent['appendUnlessCounted'];
}

/** Records one event, or answers a repeat. An event without a key goes straight to the append. */
export function createRecordEvent(deps: RecordEventDeps): (attempt: Attempt) => void {
  const { memory, lookUpReply, appendEvent, appendUnlessCounted } = deps;
  const inFlight = new Map<string, Attempt[]>();

  return function recordEvent(attempt) {
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

  function leading({ submission, settle }: Attempt): Attempt {
    return {
      submission,
      settle(outcome) {
        settle(outcome);
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
        return release(eventId).forEach(({ settle }) => settle(outcome));
    }
  }

  function answerFollowers(eventId: string, first: FirstEvent): void {
    memory.put(eventId, first);
    for (const { submission, settle } of release(eventId)) settle(judgeRepeat(submission, first));
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
