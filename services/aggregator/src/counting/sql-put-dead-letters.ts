import type { Transaction } from '@tollgate/database/database';
import type { UndecodableRecord } from './plan-flush.ts';
import { toTextArray } from './sql-array-literal.ts';
import type { LogPlace } from './sql-put-conflicts.ts';

const text = `insert into usage.dead_letter (topic, partition, log_offset, code, reason, stored_at, record)
  select $1, $2, t.log_offset, t.code, t.reason, $3, decode(t.record, 'hex')
  from unnest($4::bigint[], $5::text[], $6::text[], $7::text[]) as t (log_offset, code, reason, record)
  on conflict do nothing`;

/** Keeps records that cannot be decoded, each with its place in the log, so that the partition goes on. */
export async function putDeadLetters(
  tx: Transaction,
  place: LogPlace,
  records: readonly UndecodableRecord[],
): Promise<void> {
  await tx.query({ name: 'usage.put_dead_letters', text }, [
    place.topic,
    place.partition,
    place.storedAt,
    records.map(({ offset }) => offset),
    toTextArray(records.map(({ code }) => code)),
    toTextArray(records.map(({ reason }) => reason)),
    records.map(({ bytes }) => Buffer.from(bytes).toString('hex')),
  ]);
}
