import { decodeUsageEvent, partitionKeyOf } from '@tollgate/contracts/event-record';
import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import type { EventAppender } from '@tollgate/event-log/event-log';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { DeadLetters, DeadLetterWithRecord, RecordPlace, Replay } from './dead-letters.ts';

export interface ReplayDeadLetterDeps {
  readonly deadLetters: DeadLetters;
  readonly eventLog: EventAppender;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Appends the record's bytes again, as they are, then marks the row. A crash in between leaves it unmarked: replayed once
 * more it is in the log twice, which counting sees through. Undefined: there is no such dead letter.
 */
export function createReplayDeadLetter({ deadLetters, eventLog, clock, log }: ReplayDeadLetterDeps) {
  return async function replayDeadLetter(place: RecordPlace): Promise<DeadLetterWithRecord | undefined> {
    const letter = await deadLetters.find(place);
    if (letter === undefined) return undefined;
    const replay = await append(letter);
    await deadLetters.markReplayed(place, replay);
    log.info({ ...place, replay, code: letter.code }, 'the operator replayed a dead letter');
    return { ...letter, replay };
  };

  async function append({ place, record }: DeadLetterWithRecord): Promise<Replay> {
    const records = [{ key: keyOf(place, record), value: record }];
    const [position] = await eventLog.append(place.topic, records).catch((error: unknown) => {
      throw outcomeUnknown(error);
    });
    if (position === undefined) throw new Error('an append told no position');
    return { atMs: clock.now(), ...position };
  }
}

export type ReplayDeadLetter = ReturnType<typeof createReplayDeadLetter>;

/** The one that the gateway gives such an event; what nobody can read goes anywhere, for it meets no other record. */
function keyOf({ partition, offset }: RecordPlace, record: Uint8Array): string {
  const decoded = decodeUsageEvent(record);
  return decoded.ok ? partitionKeyOf(decoded.record) : `dead-letter:${partition}:${offset}`;
}

function outcomeUnknown(cause: unknown): AppError {
  const message = 'The record may or may not lie in the log again. Replaying it once more is safe.';
  return new AppError('unavailable', message, { cause, retryAfterSeconds: 1 });
}
