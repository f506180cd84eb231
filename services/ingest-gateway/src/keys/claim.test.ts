import { describe, expect, it } from '@jest/globals';
import { AppError } from '@tollgate/kernel/app-error';
import { keyedEventId, type EventKey } from '@tollgate/kernel/event-id';
import { createSubmission } from '../submissions/create-submission.ts';
import type { FirstEvent } from './judge-repeat.ts';
import type { Outcome } from '../submissions/outcome.ts';
import type { Attempt } from '../submissions/attempt.ts';
import type { ReplyQuestion } from './look-ups.ts';
import { createClaim } from './claim.ts';
import { createReplyMemory } from './reply-memory.ts';

const eventIds = { of: (key: EventKey) => keyedEventId('secret', key) };
const occurredAt = '2026-11-21T12:00:00.000Z';
const receipt = { consumerId: 'c', receivedAtMs: 0, expiresAtMs: 0, eventIds };

/** The ways to the key table and to the log are held by the test, which answers them in the order it likes. */
function setUp(mode: 'look-ups first' | 'unless counted' = 'look-ups first') {
  const questions: ReplyQuestion[] = [];
  const appends: Attempt[] = [];
  const notMade: (() => void)[] = [];
  const recordEvent = createClaim({
    memory: createReplyMemory(100),
    lookUpReply: (question) => void questions.push(question),
    appendEvent: (attempt) => void appends.push(attempt),
    appendUnlessCounted: (attempt, { onNotAppended }) => {
      if (mode === 'look-ups first') return false;
      appends.push(attempt);
      notMade.push(onNotAppended);
      return true;
    },
  });
  const outcomes: (Outcome['kind'] | undefined)[] = [];
  function record(key: string | undefined, toolId = 'a'): void {
    const place = outcomes.push(undefined) - 1;
    const event = { tool_id: toolId, success: true, ...(key === undefined ? {} : { idempotency_key: key }) };
    recordEvent({
      submission: createSubmission(event, receipt),
      settle(outcome) {
        if (outcomes[place] !== undefined) throw new Error('settled twice');
        outcomes[place] = outcome.kind;
      },
    });
  }
  const answer = (first?: FirstEvent): void => questions.shift()?.onAnswer(first);
  const append = (outcome: Outcome): void => appends.shift()?.settle(outcome);
  const leaveOut = (): void => {
    appends.shift();
    notMade.shift()?.();
  };
  return { record, answer, append, leaveOut, outcomes, questions, appends };
}

const recorded: Outcome = { kind: 'recorded', eventId: 'e', occurredAt };
const error = new AppError('unavailable', '');

describe('createClaim', () => {
  it('asks nobody about an event without a key', () => {
    const { record, questions, appends } = setUp();
    record(undefined);
    expect([questions.length, appends.length]).toEqual([0, 1]);
  });

  it('lets the same key wait for the first, and answers by what became of it', () => {
    const { record, answer, append, outcomes, questions, appends } = setUp();
    record('k');
    record('k');
    record('k', 'other-tool');
    expect(questions).toHaveLength(1);
    answer();
    record('k');
    expect([appends.length, outcomes]).toEqual([1, [undefined, undefined, undefined, undefined]]);
    append(recorded);
    expect(outcomes).toEqual(['recorded', 'duplicate', 'rejected', 'duplicate']);
    record('k');
    expect([outcomes.at(-1), questions.length]).toEqual(['duplicate', 0]);
  });

  it('asks nobody when the append itself sees whether the event is counted', () => {
    const { record, append, outcomes, questions } = setUp('unless counted');
    record('k');
    record('k');
    append(recorded);
    record('k');
    expect([questions.length, outcomes]).toEqual([0, ['recorded', 'duplicate', 'duplicate']]);
  });

  it('looks the key up when the append was not made, and appends once all the same', () => {
    const { record, answer, append, leaveOut, outcomes, questions, appends } = setUp('unless counted');
    record('k');
    leaveOut();
    record('k');
    expect([questions.length, appends.length]).toEqual([1, 0]);
    answer();
    append(recorded);
    expect([outcomes, appends.length]).toEqual([['recorded', 'duplicate'], 0]);
  });

  it('answers by the key table, and remembers what it said', () => {
    const { record, answer, outcomes, questions, appends } = setUp();
    record('k');
    record('k', 'other-tool');
    const { bodyHash = '' } = createSubmission({ tool_id: 'a', success: true, idempotency_key: 'k' }, receipt);
    answer({ bodyHash, occurredAt });
    record('k');
    expect(outcomes).toEqual(['duplicate', 'rejected', 'duplicate']);
    expect([questions.length, appends.length]).toEqual([0, 0]);
  });

  it('lets the next one lead when the first is rejected', async () => {
    const { record, answer, append, outcomes, appends } = setUp();
    record('k');
    record('k', 'b');
    record('k', 'b');
    answer();
    append({ kind: 'rejected', error });
    await Promise.resolve();
    expect(appends.map(({ submission }) => submission.event.tool_id)).toEqual(['b']);
    append(recorded);
    expect(outcomes).toEqual(['rejected', 'recorded', 'duplicate']);
  });

  it('shares an unknown outcome, and lets a later retry try again', () => {
    const { record, answer, append, outcomes } = setUp();
    record('k');
    record('k');
    answer();
    append({ kind: 'unknown', error });
    record('k');
    answer();
    append(recorded);
    expect(outcomes).toEqual(['unknown', 'unknown', 'recorded']);
  });

  it('lets ten thousand that wait be rejected one by one without nesting', async () => {
    const { record, answer, appends, outcomes } = setUp();
    for (let follower = 0; follower < 10_000; follower += 1) record('k');
    answer();
    while (appends.length > 0) {
      appends.shift()?.settle({ kind: 'rejected', error });
      await Promise.resolve();
    }
    expect(outcomes.every((kind) => kind === 'rejected')).toBe(true);
  });
});
