import type { Queryable } from '@tollgate/database/database';
import { toIso } from '@tollgate/kernel/clock';
import type { DeadLetter, DeadLetterFilter, DeadLetterWithRecord, RecordPlace, Replay } from './dead-letter.ts';

interface DeadLetterRow {
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

const listText = `select ${columns} ${filtered}
    and ($4::timestamptz is null or (stored_at, topic, partition, log_offset) < ($4, $5::text, $6::int, $7::bigint))
  order by stored_at desc, topic desc, partition desc, log_offset desc limit $8`;

/** Newest first by (time, place): the index on (stored_at, place), backwards. */
export async function listDeadLetters(
  db: Queryable,
  { after, rowsMax, ...filter }: DeadLetterFilter,
): Promise<DeadLetter[]> {
  const cursor = after
    ? [toIso(after.storedAtMs), after.topic, after.partition, after.offset]
    : [null, null, null, null];
  const statement = { name: 'usage.list_dead_letters', text: listText };
  const rows = await db.query<DeadLetterRow>(statement, [...toValues(filter), ...cursor, rowsMax]);
  return rows.map(fromDbDeadLetter);
}

const countText = `select count(*)::int as total ${filtered}`;

type Kind = Pick<DeadLetterFilter, 'code' | 'consumerId' | 'isReplayed'>;

/** Counts every dead letter that the filter lets through, on all pages. */
export async function countDeadLetters(db: Queryable, filter: Kind): Promise<number> {
  const statement = { name: 'usage.count_dead_letters', text: countText };
  const rows = await db.query<{ total: number }>(statement, toValues(filter));
  return rows[0]?.total ?? 0;
}

function toValues({ code, consumerId, isReplayed }: Kind): unknown[] {
  return [code ?? null, consumerId ?? null, isReplayed ?? null];
}

const findText = `select ${columns}, record from usage.dead_letter_v1
  where topic = $1 and partition = $2 and log_offset = $3`;

export async function findDeadLetter(
  db: Queryable,
  { topic, partition, offset }: RecordPlace,
): Promise<DeadLetterWithRecord | undefined> {
  const statement = { name: 'usage.find_dead_letter', text: findText };
  const [row] = await db.query<DeadLetterRow & { record: Buffer }>(statement, [topic, partition, offset]);
  return row && { ...fromDbDeadLetter(row), record: row.record };
}

const markText = 'select usage.mark_replayed($1, $2, $3, $4, $5, $6)';

/** Keeps the latest replay alone. Safe to repeat. */
export async function markDeadLetterReplayed(db: Queryable, place: RecordPlace, replay: Replay): Promise<void> {
  const values = [place.topic, place.partition, place.offset, toIso(replay.atMs), replay.partition, replay.offset];
  await db.query({ name: 'usage.mark_dead_letter_replayed', text: markText }, values);
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
