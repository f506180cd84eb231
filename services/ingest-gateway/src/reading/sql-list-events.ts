import { toIso } from '@tollgate/kernel/clock';
import type { Transaction } from '@tollgate/database/database';
import type { EventFilter } from '../ports.ts';
import { eventColumns, type EventRow } from './sql-event-row.ts';

/**
 * One page, newest first. Only the conditions that are asked for are in the text, so that each finds its index: a consumer's
 * by the primary key (consumer, time, id), a builder's by (tool, time, id), one scan a tool, each cut at the page's size.
 */
export function listEvents(tx: Transaction, accountId: string, filter: EventFilter): Promise<EventRow[]> {
  const values: unknown[] = [accountId, filter.rowsMax];
  const conditions = conditionsOf(filter, (value) => `$${values.push(value)}`);
  const order = 'order by occurred_at desc, event_id desc limit $2';
  if (filter.role === 'consumer') {
    const where = ['consumer_id = $1', ...conditions].join(' and ');
    return tx.query<EventRow>(`select ${eventColumns} from usage.event_v1 where ${where} ${order}`, values);
  }
  const where = ['event.tool_id = own.tool_id', ...conditions].join(' and ');
  const text = `select newest.* from billing.tool_directory_v1 own
    cross join lateral (select ${eventColumns} from usage.event_v1 event where ${where} ${order}) newest
    where own.owner_id = $1 ${order}`;
  return tx.query<EventRow>(text, values);
}

function conditionsOf(filter: EventFilter, put: (value: unknown) => string): string[] {
  const { toolId, fromMs, toMs, eventId, after } = filter;
  const conditions: string[] = [];
  if (toolId !== undefined) conditions.push(`tool_id = ${put(toolId)}`);
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

/** The key table knows the event's time, which leads to its day. */
function byKey(eventId: string): string[] {
  return [
    `event_id = ${eventId}::uuid`,
    `occurred_at = (select occurred_at from usage.event_key_v1 where event_id = ${eventId}::uuid)`,
  ];
}
