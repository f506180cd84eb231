import { usageEventOf, type UsageEventRecord } from '@tollgate/contracts/events/event-record';
import type { KnownRecord, LogBatch, StoredRecord } from '@tollgate/event-log/event-log';
import { knownRecordOf } from '@tollgate/event-log/known-record';

/** An event of the log, as far as it can be judged without the database. */
export interface CountableEvent {
  readonly offset: bigint;
  readonly event: UsageEventRecord;
  /** The record as the log holds it; a dead letter keeps it. */
  readonly bytes: Uint8Array;
}

export interface UndecodableRecord {
  readonly offset: bigint;
  readonly code: string;
  readonly reason: string;
  readonly bytes: Uint8Array;
}

/** The changes of a batch, which are one transaction. */
export interface Flush {
  readonly topic: string;
  readonly partition: number;
  readonly expectedOffset: bigint;
  readonly nextOffset: bigint;
  /** Receipt time of the last event, epoch ms; undefined when none of the batch could be read. */
  readonly lastReceivedAt: number | undefined;
  /** Beside the cursor it tells the log from another; undefined if the batch has none, or the log needs none. */
  readonly lastRecord: KnownRecord | undefined;
  /** At most one for each key, and for each id of an event without a key. */
  readonly events: readonly CountableEvent[];
  /** Further records with a key or an id of `events`: repeats, or the same key with another body. */
  readonly repeats: readonly CountableEvent[];
  readonly undecodable: readonly UndecodableRecord[];
}

/** Drops records that are counted already, decodes the rest, and separates events from records that cannot be decoded. */
export function planFlush(batch: LogBatch, cursor: bigint): Flush | undefined {
  const uncounted = batch.records.filter(({ offset }) => offset >= cursor);
  if (batch.nextOffset <= cursor) return undefined;
  const { decoded, undecodable } = decodeAll(uncounted);
  const { first, repeats } = partRepeats(decoded);
  const last = decoded.at(-1);
  const lastStored = uncounted.at(-1);
  return {
    topic: batch.topic,
    partition: batch.partition,
    expectedOffset: cursor,
    nextOffset: batch.nextOffset,
    lastReceivedAt: last && Date.parse(last.event.received_at),
    lastRecord: lastStored && knownRecordOf(lastStored),
    events: first,
    repeats,
    undecodable,
  };
}

function decodeAll(records: readonly StoredRecord[]): { decoded: CountableEvent[]; undecodable: UndecodableRecord[] } {
  const decoded: CountableEvent[] = [];
  const undecodable: UndecodableRecord[] = [];
  for (const stored of records) {
    const { offset, value } = stored;
    const result = usageEventOf(stored);
    if (result.ok) decoded.push({ offset, event: result.record, bytes: value });
    else undecodable.push({ offset, code: result.code, reason: result.reason, bytes: value });
  }
  return { decoded, undecodable };
}

/** Parts the first record of each event id from further ones. */
export function partRepeats(decoded: readonly CountableEvent[]): {
  first: CountableEvent[];
  repeats: CountableEvent[];
} {
  const seen = new Set<string>();
  const first: CountableEvent[] = [];
  const repeats: CountableEvent[] = [];
  for (const countable of decoded) {
    const identity = identityOf(countable.event);
    (seen.has(identity) ? repeats : first).push(countable);
    seen.add(identity);
  }
  return { first, repeats };
}

/** An event with a key is its account and its key, whatever id a record in the log claims. */
function identityOf({ event_id: eventId, consumer_id: consumerId, idempotency_key: key }: UsageEventRecord): string {
  return key === undefined ? eventId : `${consumerId} ${key}`;
}
