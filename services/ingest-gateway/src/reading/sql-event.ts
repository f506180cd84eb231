import type { Transaction } from '@tollgate/database/database';
import { toIso } from '@tollgate/kernel/clock';
import type { CountedEvent, EventFilter } from './counted-event.ts';

interface EventRow {
  readonly consumer_id: string;
  readonly event_id: string;
  readonly tool_id: string;
  readonly occurred_at: Date;
  readonly received_at: Date;
  readonly success: boolean;
  readonly duration_ms: bigint | null;
  readonly metadata: CountedEvent['metadata'] | null;
  readonly idempotency_key: string | null;
  readonly pass_id: string | null;
}

const columns =
  'consumer_id, event_id, tool_id, occurred_at, received_at, success, duration_ms, metadata, idempotency_key, pass_id';

export interface EventPlace {
  readonly consumerId: string;
  readonly eventId: string;
  readonly occurredAt: Date;
}

const findAtText = `select ${columns} from usage.event_v1
  where consumer_id = $1::uuid and occurred_at = $2::timestamptz and event_id = $3::uuid`;

/** Uses the primary key, for an event with a key: the key table has its place. */
export async function findEventAt(tx: Transaction, place: EventPlace): Promise<CountedEvent | undefined> {
  const values = [place.consumerId, toIso(place.occurredAt.getTime()), place.eventId];
  const [row] = await tx.query<EventRow>({ name: 'usage.find_event_at', text: findAtText }, values);
  return row && fromDbEvent(row);
}

export interface Receipt {
  readonly eventId: string;
  readonly receivedAtMs: number;
}

const findReceivedAtText = `select ${columns} from usage.event_v1
  where event_id = $1::uuid and idempotency_key is null
    and occurred_at between to_timestamp($2::float8 / 1000) - interval '25 hours'
                        and to_timestamp($2::float8 / 1000) + interval '1 hour'`;

/**
 * Uses the index of events without a key, in the few days that can hold an event of this receipt time. The time is a
 * number: an id may name the year 10889, which PostgreSQL cannot read as ISO text.
 */
export async function findEventReceivedAt(tx: Transaction, receipt: Receipt): Promise<CountedEvent | undefined> {
  const statement = { name: 'usage.find_event_received_at', text: findReceivedAtText };
  const [row] = await tx.query<EventRow>(statement, [receipt.eventId, receipt.receivedAtMs]);
  return row && fromDbEvent(row);
}

const order = 'order by occurred_at desc, event_id desc limit $2';

const consumersText = (conditions: readonly string[]) =>
  `select ${columns} from usage.event_v1 where ${['consumer_id = $1', ...conditions].join(' and ')} ${order}`;

const buildersText = (conditions: readonly string[]) => `select newest.* from billing.tool_directory_v1 own
  cross join lateral (select ${columns} from usage.event_v1 event
    where ${['event.tool_id = own.tool_id', ...conditions].join(' and ')} ${order}) newest
  where own.owner_id = $1 ${order}`;

/**
 * Reads one page, newest first. The text has the conditions of this filter alone, so that the planner finds an index. A
 * consumer's page uses the primary key (consumer, time, id). A builder's page uses (tool, time, id), with a scan per
 * tool that ends at the page's size.
 */
export async function listEvents(tx: Transaction, accountId: string, filter: EventFilter): Promise<CountedEvent[]> {
  const values: unknown[] = [accountId, filter.rowsMax];
  const conditions = conditionsOf(filter, (value) => `$${values.push(value)}`);
  const text = filter.role === 'consumer' ? consumersText(conditions) : buildersText(conditions);
  const rows = await tx.query<EventRow>(text, values);
  return rows.map(fromDbEvent);
}

function conditionsOf(filter: EventFilter, put: (value: unknown) => string): string[] {
  const { toolId, passId, fromMs, toMs, eventId, after } = filter;
  const conditions: string[] = [];
  if (toolId !== undefined) conditions.push(`tool_id = ${put(toolId)}`);
  if (passId !== undefined) conditions.push(...byPass(put(passId)));
  if (fromMs !== undefined) conditions.push(`occurred_at >= ${put(toIso(fromMs))}::timestamptz`);
  if (toMs !== undefined) conditions.push(`occurred_at < ${put(toIso(toMs))}::timestamptz`);
  if (eventId !== undefined) conditions.push(...byKey(put(eventId)));
  if (after !== undefined) {
    conditions.push(
      `(occurred_at, event_id) < (${put(toIso(after.occurredAtMs))}::timestamptz, ${put(after.eventId)}::uuid)`,
    );
  }
  return conditions;
}

/** A pass paid for nothing more than a day before there was such a pass, so earlier days are not read. $1 is its owner. */
function byPass(passId: string): string[] {
  const createdAt = `(select created_at from gate.pass where pass_id = ${passId}::uuid and account_id = $1)`;
  return [`pass_id = ${passId}::uuid`, `occurred_at > ${createdAt} - interval '25 hours'`];
}

/** The key table has the event's time, and the time leads to the partition of its day. */
function byKey(eventId: string): string[] {
  const time = `(select occurred_at from usage.event_key_v1 where event_id = ${eventId}::uuid)`;
  return [`event_id = ${eventId}::uuid`, `occurred_at = ${time}`];
}

function fromDbEvent(row: EventRow): CountedEvent {
  return {
    consumerId: row.consumer_id,
    eventId: row.event_id,
    toolId: row.tool_id,
    occurredAtMs: row.occurred_at.getTime(),
    receivedAtMs: row.received_at.getTime(),
    success: row.success,
    durationMs: row.duration_ms === null ? undefined : Number(row.duration_ms),
    metadata: row.metadata ?? {},
    idempotencyKey: row.idempotency_key ?? undefined,
    passId: row.pass_id ?? undefined,
  };
}
