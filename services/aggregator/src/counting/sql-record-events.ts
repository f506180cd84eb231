import { measurePattern } from '@tollgate/contracts/measure';
import { onlyRow, type Transaction } from '@tollgate/database/database';
import type { CountableEvent } from './plan-flush.ts';
import { foldCalls, foldMeasures } from './sql-fold.ts';
import { toJsonArray, toPlainArray, toTextArray } from './sql-array-literal.ts';
import type { TwoIds } from './two-ids.ts';

/**
 * This statement counts once: only rows that `fresh` returns reach the rollups. The key has no time in it: an event with
 * another timestamp, tool or partition is still a repeat, for ever. Inserts and upserts go in key order: unordered ones
 * from four clients deadlocked 153 times in 60 rounds, ordered ones never.
 */
const arrays = `$1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[], $5::timestamptz[], $6::boolean[], $7::bigint[],
      $8::jsonb[], $9::text[], $10::text[]`;
const columns =
  'event_id, consumer_id, tool_id, occurred_at, received_at, success, duration_ms, metadata, idempotency_key, body_hash';

const text = textOf({
  incoming: `select *, event_id as claim_id from unnest(${arrays}) as t (${columns})`,
  isUnknown: 'true',
  beside: '',
});

/**
 * For a database that has events from before ids had a secret. A key is claimed under its old id until the secret is in
 * use, and under its id with the secret from then on, whichever its record has; the cursor's lock orders each flush before
 * or after that change (`usage.use_event_id_secret`). A record that has the old id after it keeps it, and can be looked up by it.
 */
const textOfTwoIds = textOf({
  incoming: `select t.*, case when in_use then keyed_id else old_id end as claim_id
    from unnest(${arrays}, $12::uuid[], $13::uuid[]) as t (${columns}, keyed_id, old_id) cross join usage.event_id_secret`,
  isUnknown: 'not exists (select from usage.event_key k where k.event_id = incoming.old_id)',
  beside: `, beside as (
    insert into usage.event_key (event_id, consumer_id, body_hash, occurred_at)
    select event_id, consumer_id, decode(body_hash, 'hex'), occurred_at from incoming
    where event_id <> claim_id and claim_id in (select event_id from claimed) order by event_id
    on conflict do nothing
  )`,
});

function textOf(parts: { readonly incoming: string; readonly isUnknown: string; readonly beside: string }): string {
  return `with incoming as materialized (
    ${parts.incoming}
  ), claimed as ( -- keyed events only: body_hash is null where no key was sent
    insert into usage.event_key (event_id, consumer_id, body_hash, occurred_at)
    select claim_id, consumer_id, decode(body_hash, 'hex'), occurred_at from incoming
    where body_hash is not null and ${parts.isUnknown} order by claim_id
    on conflict do nothing
    returning event_id
  )${parts.beside}, fresh as (
    insert into usage.event (consumer_id, event_id, tool_id, occurred_at, received_at, success, duration_ms, metadata, idempotency_key)
    select consumer_id, event_id, tool_id, occurred_at, received_at, success, duration_ms, metadata, idempotency_key from incoming
    where body_hash is null or claim_id in (select event_id from claimed)
    order by consumer_id, occurred_at, event_id
    on conflict do nothing
    returning consumer_id, tool_id, occurred_at, success, duration_ms, metadata
  ), rolled as (
    insert into usage.rollup (consumer_id, tool_id, hour, success, calls, duration_ms)
    ${foldCalls('fresh')} order by 1, 2, 3, 4
    on conflict (consumer_id, tool_id, hour, success) do update
      set calls = rollup.calls + excluded.calls, duration_ms = rollup.duration_ms + excluded.duration_ms
  ), measured as (
    insert into usage.rollup_measure (consumer_id, tool_id, hour, success, key, total)
    ${foldMeasures('fresh', '$11')} order by 1, 2, 3, 4, 5
    on conflict (consumer_id, tool_id, hour, success, key) do update set total = trim_scale(rollup_measure.total + excluded.total)
  )
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
  const rows = await tx.query<{ recorded: bigint; claimed: bigint }>(
    twoIds ? { name: 'usage.record_events_of_two_ids', text: textOfTwoIds } : { name: 'usage.record_events', text },
    twoIds ? [...toColumns(events), ...toIdColumns(events, twoIds)] : toColumns(events),
  );
  const { recorded, claimed } = onlyRow(rows);
  return { recorded: Number(recorded), claimed: Number(claimed) };
}

function toColumns(events: readonly CountableEvent[]): unknown[] {
  const records = events.map(({ event }) => event);
  return [
    toPlainArray(records.map((record) => record.event_id)),
    toPlainArray(records.map((record) => record.consumer_id)),
    toTextArray(records.map((record) => record.tool_id)),
    toPlainArray(records.map((record) => record.occurred_at)),
    toPlainArray(records.map((record) => record.received_at)),
    toPlainArray(records.map((record) => record.success)),
    toPlainArray(records.map((record) => record.duration_ms)),
    toJsonArray(records.map((record) => record.metadata)),
    toTextArray(records.map((record) => record.idempotency_key)),
    toPlainArray(
      records.map(({ body_hash: hash }) =>
        hash === undefined ? undefined : Buffer.from(hash, 'base64url').toString('hex'),
      ),
    ),
    measurePattern,
  ];
}

function toIdColumns(events: readonly CountableEvent[], twoIds: TwoIds): unknown[] {
  const ids = events.map(({ event }) => twoIds(event));
  return [toPlainArray(ids.map((both) => both?.keyed)), toPlainArray(ids.map((both) => both?.old))];
}
