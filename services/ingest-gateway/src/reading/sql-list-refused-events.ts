import { toIso } from '@tollgate/kernel/clock';
import type { Transaction } from '@tollgate/database/database';
import type { RefusedFilter } from '../ports.ts';

export interface RefusedRow {
  readonly event_id: string;
  readonly tool_id: string;
  readonly received_at: Date;
  readonly code: string;
  readonly detail: string;
  readonly partition: number;
  readonly log_offset: bigint;
}

/** By the index on (consumer_id, received_at). Log positions order what was received in one millisecond. */
export function listRefusedEvents(tx: Transaction, accountId: string, filter: RefusedFilter): Promise<RefusedRow[]> {
  const { after, rowsMax } = filter;
  const cursor = after && [toIso(after.receivedAtMs), after.place.partition, after.place.offset];
  const text = `select event_id, tool_id, received_at, code, detail, partition, log_offset from usage.refused_v1
    where consumer_id = $1::uuid and event_id is not null and tool_id is not null and received_at is not null
      ${cursor ? 'and (received_at, partition, log_offset) < ($3::timestamptz, $4::int, $5::bigint)' : ''}
    order by received_at desc, partition desc, log_offset desc limit $2`;
  return tx.query<RefusedRow>(text, [accountId, rowsMax, ...(cursor ?? [])]);
}
