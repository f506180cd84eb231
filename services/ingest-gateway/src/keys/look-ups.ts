import type { Clock } from '@tollgate/kernel/clock';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { createMicroBatcher, type MicroBatcher } from '@tollgate/runtime/timing/micro-batcher';
import { within } from '@tollgate/runtime/timing/within';
import { underLoad } from '../submissions/under-load.ts';
import type { FirstEvent } from './judge-repeat.ts';

export interface ReplyQuestion {
  readonly eventId: string;
  /** Undefined: the event is not counted, or nobody can know now. Counting once does not depend on the answer. */
  onAnswer(first: FirstEvent | undefined): void;
}

export interface LookUpsDeps {
  /** The counted events among these ids. May reject. */
  readonly findFirstEvents: (eventIds: readonly string[]) => Promise<ReadonlyMap<string, FirstEvent>>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly timeoutMs: number;
}

/**
 * A key is looked up before its append, or by it where the log can do that, which spares a statement and the wait for it. An
 * append that meets a counted key has to be made again. So look-ups come first for some time after a repeat or a failure.
 */
export interface KeyChecks {
  mustLookUpFirst(): boolean;
  /** Called after an append that met a counted key, had no answer in time, or failed. */
  lookUpFirst(): void;
}

export interface LookUps extends MicroBatcher<ReplyQuestion>, KeyChecks {}

const firstForMs = 5_000;
const batchKeysMax = 5_000;
const keyBytes = 36;

/**
 * Looks keys up in the key table, with one statement for all waiting questions. If the database does not answer in
 * time, a repeat only loses its header: the log takes the event, and counting recognises the key. While that late
 * answer is outstanding, later questions are answered at once as not counted.
 */
export function createLookUps({ findFirstEvents, clock, log, timeoutMs }: LookUpsDeps): LookUps {
  let isOverdue = false;
  let firstUntilMs = 0;

  const batcher = createMicroBatcher<ReplyQuestion>({
    batchItemsMax: batchKeysMax,
    batchBytesMax: batchKeysMax * keyBytes,
    ...underLoad,
    sizeOf: () => keyBytes,
    async run(questions) {
      const found = isOverdue ? undefined : await findInTime(questions.map(({ eventId }) => eventId));
      if (found === undefined || found.size > 0) lookUpFirst();
      for (const { eventId, onAnswer } of questions) onAnswer(found?.get(eventId));
    },
  });

  /** Undefined: nobody can know now. */
  async function findInTime(eventIds: readonly string[]): Promise<ReadonlyMap<string, FirstEvent> | undefined> {
    const found = findFirstEvents(eventIds);
    try {
      return await within(found, timeoutMs, () => {
        isOverdue = true;
        void found.catch(() => undefined).then(() => (isOverdue = false));
        throw new Error(`no answer in ${timeoutMs} ms`);
      });
    } catch (error) {
      log.warn(
        { err: error, keys: eventIds.length },
        'cannot look up idempotency keys; events are taken without the look-up',
      );
      return undefined;
    }
  }

  function lookUpFirst(): void {
    firstUntilMs = clock.monotonicMs() + firstForMs;
  }

  return { ...batcher, lookUpFirst, mustLookUpFirst: () => clock.monotonicMs() < firstUntilMs };
}
