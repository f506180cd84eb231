import type { Queryable } from '@tollgate/database/database';
import type { DeadLetter, DeadLetters, Replay } from './dead-letters.ts';
import {
  countDeadLetters,
  findDeadLetter,
  listDeadLetters,
  markDeadLetterReplayed,
  type DeadLetterRow,
} from './sql-dead-letters.ts';

/** Everybody's dead letters, as a worker role: for the operator alone. */
export function createPgDeadLetters(worker: Queryable): DeadLetters {
  return {
    async list(filter) {
      const [rows, total] = await Promise.all([listDeadLetters(worker, filter), countDeadLetters(worker, filter)]);
      return { rows: rows.map(fromDbDeadLetter), total };
    },
    async find(place) {
      const [row] = await findDeadLetter(worker, place);
      return row && { ...fromDbDeadLetter(row), record: row.record };
    },
    markReplayed: (place, replay) => markDeadLetterReplayed(worker, place, replay),
  };
}

function fromDbDeadLetter(row: DeadLetterRow): DeadLetter {
  return {
    place: { topic: row.topic, partition: row.partition, offset: row.log_offset },
    code: row.code,
    reason: row.reason,
    consumerId: row.consumer_id,
    eventId: row.event_id,
    toolId: row.tool_id,
    receivedAtMs: row.received_at?.getTime() ?? null,
    storedAtMs: row.stored_at.getTime(),
    replay: replayOf(row),
  };
}

function replayOf({ replayed_at, replayed_to_partition, replayed_to_offset }: DeadLetterRow): Replay | null {
  if (replayed_at === null || replayed_to_partition === null || replayed_to_offset === null) return null;
  return { atMs: replayed_at.getTime(), partition: replayed_to_partition, offset: replayed_to_offset };
}
