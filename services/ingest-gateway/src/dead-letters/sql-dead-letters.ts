import { toIso } from '@tollgate/kernel/clock';
import type { Queryable } from '@tollgate/database/database';
import type { DeadLetterFilter, RecordPlace, Replay } from './dead-letters.ts';

export interface DeadLetterRow {
  readonly topic: string;
  readonly partition: number;
  readonly log_offset: bigint;
  readonly code: string;
  readonly reason: string;
  readonly consumer_id: string | null;
  readonly event_id: string | null;
  readonly tool_id: string | null;
  readonly received_at: Date | null;
  readonly stored_at: Date;
  readonly replayed_at: Date | null;
  readonly replayed_to_partition: number | null;
  readonly replayed_to_offset: bigint | null;
}

const columns = `topic, partition, log_offset, code, reason, consumer_id, event_id, tool_id, received_at, stored_at,
    replayed_at, replayed_to_partition, replayed_to_offset`;
const filtered = `from usage.dead_letter_v1
    where ($1::text is null or code = $1) and ($2::uuid is null or consumer_id = $2)
      and ($3::boolean is null or (replayed_at is not null) = $3)`;

/** By the index on (stored_at, place), backwards. */
const listText = `select ${columns} ${filtered}
      and ($4::timestamptz is null or (stored_at, topic, partition, log_offset) < ($4, $5::text, $6::int, $7::bigint))
    order by stored_at desc, topic desc, partition desc, log_offset desc limit $8`;
const countText = `select count(*)::int as total ${filtered}`;

export function listDeadLetters(
  db: Queryable,
  { after, rowsMax, ...filter }: DeadLetterFilter,
): Promise<DeadLetterRow[]> {
  const cursor = after
    ? [toIso(after.storedAtMs), after.topic, after.partition, after.offset]
    : [null, null, null, null];
  return db.query<DeadLetterRow>({ name: 'list-dead-letters', text: listText }, [
    ...toValues(filter),
    ...cursor,
    rowsMax,
  ]);
}

type Kind = Pick<DeadLetterFilter, 'code' | 'consumerId' | 'isReplayed'>;

export async function countDeadLetters(db: Queryable, filter: Kind): Promise<number> {
  const rows = await db.query<{ total: number }>({ name: 'count-dead-letters', text: countText }, toValues(filter));
  return rows[0]?.total ?? 0;
}

function toValues({ code, consumerId, isReplayed }: Kind): unknown[] {
  return [code ?? null, consumerId ?? null, isReplayed ?? null];
}

const findText = `select ${columns}, record from usage.dead_letter_v1
    where topic = $1 and partition = $2 and log_offset = $3`;

export function findDeadLetter(
  db: Queryable,
  { topic, partition, offset }: RecordPlace,
): Promise<(DeadLetterRow & { readonly record: Buffer })[]> {
  return db.query({ name: 'find-dead-letter', text: findText }, [topic, partition, offset]);
}

export async function markDeadLetterReplayed(db: Queryable, place: RecordPlace, replay: Replay): Promise<void> {
  await db.query('select usage.mark_replayed($1, $2, $3, $4, $5, $6)', [
    place.topic,
    place.partition,
    place.offset,
    toIso(replay.atMs),
    replay.partition,
    replay.offset,
  ]);
}
