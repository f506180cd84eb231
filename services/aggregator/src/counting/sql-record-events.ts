import { measurePattern } from '@tollgate/contracts/events/measure';
import { parseIsoTime } from '@tollgate/contracts/forms/timestamp';
import { onlyRow, type Transaction } from '@tollgate/database/database';
import type { CountableEvent } from './plan-flush.ts';
import { addCalls, addMeasures } from './sql-add-to-rollups.ts';
import type { FoldKey } from './sql-fold.ts';
import {
  toBooleanColumn,
  toByteaColumn,
  toInt8Column,
  toJsonbColumn,
  toTextColumn,
  toTimeColumn,
  toUuidColumn,
} from './sql-binary-array.ts';

/**
 * This statement counts once: only rows that `fresh` returns reach the rollups. The key has no time in it: an event with
 * another timestamp, tool or partition is still a repeat, for ever. Inserts and upserts go in key order: unordered ones
 * from four clients deadlocked 153 times in 60 rounds, ordered ones never.
 */
const arrays = `$1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[], $5::timestamptz[], $6::boolean[], $7::bigint[],
      $8::jsonb[], $9::text[], $10::bytea[]`;
const columns =
  'event_id, consumer_id, tool_id, occurred_at, received_at, success, duration_ms, metadata, idempotency_key, body_hash';

/** A flush without passes has no column of them, and touches none of their rows. */
const statements = {
  withoutPass: { name: 'usage.record_events', text: textOf('withoutPass') },
  withPass: { name: 'usage.record_events_with_passes', text: textOf('withPass') },
};

function textOf(key: FoldKey): string {
  const [array, pass] = key === 'withPass' ? [', $12::uuid[]', ', pass_id'] : ['', ''];
  return `with incoming as materialized (
    select * from unnest(${arrays}${array}) as t (${columns}${pass})
  ), claimed as ( -- keyed events only: body_hash is null where no key was sent
    insert into usage.event_key (event_id, consumer_id, body_hash, occurred_at)
    select event_id, consumer_id, body_hash, occurred_at from incoming
    where body_hash is not null order by event_id
    on conflict do nothing
    returning event_id
  ), fresh as (
    insert into usage.event (consumer_id, event_id, tool_id, occurred_at, received_at, success, duration_ms, metadata, idempotency_key${pass})
    select consumer_id, event_id, tool_id, occurred_at, received_at, success, duration_ms, metadata, idempotency_key${pass} from incoming
    where body_hash is null or event_id in (select event_id from claimed)
    order by consumer_id, occurred_at, event_id
    on conflict do nothing
    returning consumer_id, tool_id, occurred_at, success, duration_ms, metadata${pass}
  ), ${addCalls('fresh', key)}, ${addMeasures('fresh', '$11', key)}
  select (select count(*) from fresh) as recorded, (select count(*) from claimed) as claimed`;
}

export interface Recorded {
  readonly recorded: number;
  /** Keys that were new. Fewer than were sent: the others are repeats or conflicts. */
  readonly claimed: number;
}

export async function recordEvents(tx: Transaction, events: readonly CountableEvent[]): Promise<Recorded> {
  const hasPasses = events.some(({ event }) => event.pass_id !== undefined);
  const statement = statements[hasPasses ? 'withPass' : 'withoutPass'];
  const rows = await tx.query<{ recorded: bigint; claimed: bigint }>(statement, [
    ...toColumns(events),
    ...(hasPasses ? [toUuidColumn(events.map(({ event }) => event.pass_id))] : []),
  ]);
  const { recorded, claimed } = onlyRow(rows);
  return { recorded: Number(recorded), claimed: Number(claimed) };
}

function toColumns(events: readonly CountableEvent[]): unknown[] {
  const records = events.map(({ event }) => event);
  return [
    toUuidColumn(records.map((record) => record.event_id)),
    toUuidColumn(records.map((record) => record.consumer_id)),
    toTextColumn(records.map((record) => record.tool_id)),
    toTimeColumn(records.map((record) => parseIsoTime(record.occurred_at))),
    toTimeColumn(records.map((record) => parseIsoTime(record.received_at))),
    toBooleanColumn(records.map((record) => record.success)),
    toInt8Column(records.map((record) => record.duration_ms)),
    toJsonbColumn(records.map(({ metadata }) => metadata && JSON.stringify(metadata))),
    toTextColumn(records.map((record) => record.idempotency_key)),
    toByteaColumn(records.map((record) => record.body_hash)),
    measurePattern,
  ];
}
