import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { within } from '@tollgate/runtime/timing/within';
import type { FirstEvent } from './judge-repeat.ts';
import { createMicroBatcher, type MicroBatcher } from '@tollgate/runtime/timing/micro-batcher';
import type { CountedKeys } from '../ports.ts';

export interface ReplyQuestion {
  readonly eventId: string;
  /** Undefined: not counted, or it cannot be known; counting once does not depend on it. */
  onAnswer(first: FirstEvent | undefined): void;
}

export interface LookUpReplyDeps {
  readonly keys: CountedKeys;
  readonly log: Logger;
  readonly timeoutMs: number;
}

const batchKeysMax = 5_000;
const keyBytes = 36;
const nothing: ReadonlyMap<string, FirstEvent> = new Map();

/**
 * Asks the key table, one statement for all that ask at a time, beside the append that is on its way. A database that
 * does not answer in time costs the repeat's header, not the event: the log takes it, and counting sees the key again.
 * Until that answer has come, or failed, nobody else waits for one.
 */
export function createLookUpReply({ keys, log, timeoutMs }: LookUpReplyDeps): MicroBatcher<ReplyQuestion> {
  let isOverdue = false;

  return createMicroBatcher<ReplyQuestion>({
    batchItemsMax: batchKeysMax,
    batchBytesMax: batchKeysMax * keyBytes,
    sizeOf: () => keyBytes,
    async run(questions) {
      const found = isOverdue ? nothing : await findInTime(questions.map(({ eventId }) => eventId));
      for (const { eventId, onAnswer } of questions) onAnswer(found.get(eventId));
    },
  });

  async function findInTime(eventIds: readonly string[]): Promise<ReadonlyMap<string, FirstEvent>> {
    const found = keys.find(eventIds);
    try {
      return await within(found, timeoutMs, () => {
        isOverdue = true;
        void found.catch(() => undefined).then(() => (isOverdue = false));
        throw new Error(`no answer in ${timeoutMs} ms`);
      });
    } catch (error) {
      log.warn({ err: error, keys: eventIds.length }, 'cannot look up idempotency keys, going on without');
      return nothing;
    }
  }
}
