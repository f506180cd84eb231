import { toIso } from '@tollgate/kernel/clock';
import type { Database } from '@tollgate/database/database';

export interface DeadLetterWish {
  readonly offset: number;
  readonly storedAtMs: number;
  readonly partition?: number;
  readonly code?: string;
  readonly consumerId?: string;
  /** The event in the record, if it can be read. It was received when the dead letter was stored. */
  readonly eventId?: string;
  readonly record?: Uint8Array;
}

/** Stores the row of a dead letter, like the aggregator, and returns its id. */
export async function putDeadLetter(owner: Database, wish: DeadLetterWish): Promise<string> {
  const { offset, storedAtMs, partition = 0, code = 'invalid_json', consumerId, record = Buffer.from('{') } = wish;
  const storedAt = toIso(storedAtMs);
  const event = wish.eventId === undefined ? [null, null, null] : [wish.eventId, 'some-tool', storedAt];
  await owner.query(
    `insert into usage.dead_letter (topic, partition, log_offset, code, reason, consumer_id, stored_at, record, event_id, tool_id, received_at)
     values ('usage.events.v1', $1, $2, $3, 'nobody can read it', $4, $5, $6, $7, $8, $9)`,
    [partition, offset, code, consumerId ?? null, storedAt, record, ...event],
  );
  return `usage.events.v1:${partition}:${offset}`;
}
