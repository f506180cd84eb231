import type { Transaction } from '@tollgate/database/database';
import { toIso } from '@tollgate/kernel/clock';
import type { RefusedEvent, RefusedFilter } from './counted-event.ts';

interface RefusedRow {
  readonly event_id: string;
  readonly tool_id: string;
  readonly received_at: Date;
  readonly code: string;
  readonly detail: string;
  readonly partition: number;
  readonly log_offset: bigint;
}

const textOf = (condition: string) => `select event_id, tool_id, received_at, code, detail, partition, log_offset
  from usage.refused_v1
  where consumer_id = $1::uuid and event_id is not null and tool_id is not null and received_at is not null ${condition}
  order by received_at desc, partition desc, log_offset desc limit $2`;
const firstPage = { name: 'usage.list_refused_events', text: textOf('') };
const nextPage = {
  name: 'usage.list_refused_events_after',
  text: textOf('and (received_at, partition, log_offset) < ($3::timestamptz, $4::int, $5::bigint)'),
};

/** Uses the index on (consumer_id, received_at). Log positions order the events of one millisecond. */
export async function listRefusedEvents(
  tx: Transaction,
  accountId: string,
  { after, rowsMax }: RefusedFilter,
): Promise<RefusedEvent[]> {
  const cursor = after ? [toIso(after.receivedAtMs), after.place.partition, after.place.offset] : [];
  const rows = await tx.query<RefusedRow>(after ? nextPage : firstPage, [accountId, rowsMax, ...cursor]);
  return rows.map(fromDbRefused);
}

function fromDbRefused(row: RefusedRow): RefusedEvent {
  return {
    eventId: row.event_id,
    toolId: row.tool_id,
    receivedAtMs: row.received_at.getTime(),
    code: row.code,
    detail: row.detail,
    place: { partition: row.partition, offset: row.log_offset.toString() },
  };
}
