import type { DeadLetter as ApiDeadLetter } from '@tollgate/contracts/operator/dead-letters';
import { toIso } from '@tollgate/kernel/clock';
import type { DeadLetter, DeadLetterWithRecord, RecordPlace } from './dead-letter.ts';

export function toApiDeadLetter({ place, replay, ...letter }: DeadLetter): ApiDeadLetter {
  return {
    id: toId(place),
    topic: place.topic,
    partition: place.partition,
    offset: Number(place.offset), // no log will reach 2⁵³ records
    code: letter.code,
    reason: letter.reason,
    consumer_id: letter.consumerId,
    event_id: letter.eventId,
    tool_id: letter.toolId,
    received_at: letter.receivedAtMs === null ? null : toIso(letter.receivedAtMs),
    stored_at: toIso(letter.storedAtMs),
    replayed_at: replay && toIso(replay.atMs),
    replayed_as: replay && toId({ ...replay, topic: place.topic }),
  };
}

export function toApiDeadLetterWithRecord(letter: DeadLetterWithRecord) {
  return { ...toApiDeadLetter(letter), record_base64: Buffer.from(letter.record).toString('base64') };
}

function toId({ topic, partition, offset }: RecordPlace): string {
  return `${topic}:${partition}:${offset}`;
}
