import { decodeUsageEvent, partitionKeyOf } from '@tollgate/contracts/events/event-record';
import type { Queryable } from '@tollgate/database/database';
import type { EventAppender } from '@tollgate/event-log/event-log';
import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { DeadLetterWithRecord, RecordPlace, Replay } from './dead-letter.ts';
import { findDeadLetter, markDeadLetterReplayed } from './sql-dead-letter.ts';

export interface ReplayDeadLetterDeps {
  readonly worker: Queryable;
  readonly eventLog: EventAppender;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Appends the record's bytes again, unchanged, then marks the row. A crash in between leaves the row unmarked. A second
 * replay then puts the record into the log twice, and counting counts it once. Undefined: no such dead letter exists.
 */
export function createReplayDeadLetter({ worker, eventLog, clock, log }: ReplayDeadLetterDeps) {
  return async function replayDeadLetter(place: RecordPlace): Promise<DeadLetterWithRecord | undefined> {
    const letter = await findDeadLetter(worker, place);
    if (letter === undefined) return undefined;
    const replay = await append(letter);
    await markDeadLetterReplayed(worker, place, replay);
    log.info({ ...place, replay, code: letter.code }, 'the operator replayed a dead letter');
    return { ...letter, replay };
  };

  async function append({ place, record }: DeadLetterWithRecord): Promise<Replay> {
    const records = [{ key: keyOf(place, record), value: record }];
    const [position] = await eventLog.append(place.topic, records).catch((error: unknown) => {
      throw outcomeUnknown(error);
    });
    if (position === undefined) throw new Error('an append returned no position');
    return { atMs: clock.now(), ...position };
  }
}

export type ReplayDeadLetter = ReturnType<typeof createReplayDeadLetter>;

/** The key that the gateway gives such an event. A record that nobody can decode may go to any partition. */
function keyOf({ partition, offset }: RecordPlace, record: Uint8Array): string {
  const decoded = decodeUsageEvent(record);
  return decoded.ok ? partitionKeyOf(decoded.record) : `dead-letter:${partition}:${offset}`;
}

function outcomeUnknown(cause: unknown): AppError {
  const message = 'The record may or may not lie in the log again. Replaying it once more is safe.';
  return new AppError('unavailable', message, { cause, retryAfterSeconds: 1 });
}
