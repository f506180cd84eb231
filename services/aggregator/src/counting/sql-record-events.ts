import { measurePattern } from '@tollgate/contracts/measure';
import { parseIsoTime } from '@tollgate/contracts/timestamp';
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
import type { TwoIds } from './two-ids.ts';

/**
 * This statement counts once: only rows that `fresh` returns reach the rollups. The key has no time in it: an event with
 * another timestamp, tool or partition is still a repeat, for ever. Inserts and upserts go in key order: unordered ones
 * from four clients deadlocked 153 times in 60 rounds, ordered ones never.
 */
const arrays = `$1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[], $5::timestamptz[], $6::boolean[], $7::bigint[],
      $8::jsonb[], $9::text[], $10::bytea[]`;
const columns =
  'event_id, consumer_id, tool_id, occurred_at, received_at, success, duration_ms, metadata, idempotency_key, body_hash';

/** Where a key is claimed, and with it the event. */
interface Claiming {
  /** `parameter` and `column` of a further array, or empty. */
  incoming(further: { readonly parameter: string; readonly column: string }): string;
  readonly isUnknown: string;
  readonly beside: string;
}

const byOneId: Claiming = {
  incoming: ({ parameter, column }) =>
    `select *, event_id as claim_id from unnest(${arrays}${parameter}) as t (${columns}${column})`,
  isUnknown: 'true',
  beside: '',
};

/**
 * For a database that has events from before ids had a secret. A key is claimed under its old id until the secret is in
 * use, and under its id with the secret from then on, whichever its record has; the cursor's lock orders each flush before
 * or after that change (`usage.use_event_id_secret`). A record that has the old id after it keeps it, and can be looked up by it.
 */
const byTwoIds: Claiming = {
  incoming: ({ parameter, column }) => `select t.*, case when in_use then keyed_id else old_id end as claim_id
    from unnest(${arrays}, $12::uuid[], $13::uuid[]${parameter}) as t (${columns}, keyed_id, old_id${column})
    cross join usage.event_id_secret`,
  isUnknown: 'not exists (select from usage.event_key k where k.event_id = incoming.old_id)',
  beside: `, beside as (
    insert into usage.event_key (event_id, consumer_id, body_hash, occurred_at)
    select event_id, consumer_id, body_hash, occurred_at from incoming
    where event_id <> claim_id and claim_id in (select event_id from claimed) order by event_id
    on conflict do nothing
  )`,
};

/** A flush without passes has the statement that it had before there were passes. */
const statements = {
  oneId: { name: 'usage.record_events', text: textOf(byOneId) },
  oneIdWithPasses: { name: 'usage.record_events_with_passes', text: textOf(byOneId, '$12') },
  twoIds: { name: 'usage.record_events_of_two_ids', text: textOf(byTwoIds) },
  twoIdsWithPasses: { name: 'usage.record_events_of_two_ids_with_passes', text: textOf(byTwoIds, '$14') },
};

function textOf({ incoming, isUnknown, beside }: Claiming, passParameter?: string): string {
  const key: FoldKey = passParameter === undefined ? 'withoutPass' : 'withPass';
  const pass = passParameter === undefined ? '' : ', pass_id';
  return `with incoming as materialized (
    ${incoming({ parameter: passParameter === undefined ? '' : `, ${passParameter}::uuid[]`, column: pass })}
  ), claimed as ( -- keyed events only: body_hash is null where no key was sent
    insert into usage.event_key (event_id, consumer_id, body_hash, occurred_at)
    select claim_id, consumer_id, body_hash, occurred_at from incoming
    where body_hash is not null and ${isUnknown} order by claim_id
    on conflict do nothing
    returning event_id
  )${beside}, fresh as (
    insert into usage.event (consumer_id, event_id, tool_id, occurred_at, received_at, success, duration_ms, metadata, idempotency_key${pass})
    select consumer_id, event_id, tool_id, occurred_at, received_at, success, duration_ms, metadata, idempotency_key${pass} from incoming
    where body_hash is null or claim_id in (select event_id from claimed)
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

export async function recordEvents(
  tx: Transaction,
  events: readonly CountableEvent[],
  twoIds?: TwoIds,
): Promise<Recorded> {
  const hasPasses = events.some(({ event }) => event.pass_id !== undefined);
  const statement = statements[`${twoIds ? 'twoIds' : 'oneId'}${hasPasses ? 'WithPasses' : ''}`];
  const rows = await tx.query<{ recorded: bigint; claimed: bigint }>(statement, [
    ...toColumns(events),
    ...(twoIds ? toIdColumns(events, twoIds) : []),
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

function toIdColumns(events: readonly CountableEvent[], twoIds: TwoIds): unknown[] {
  const ids = events.map(({ event }) => twoIds(event));
  return [toUuidColumn(ids.map((both) => both?.keyed)), toUuidColumn(ids.map((both) => both?.old))];
}
