import { toIso } from '@tollgate/kernel/clock';
import type { Queryable } from '@tollgate/database/database';
import type { TimeWindow } from '../processor/processor.ts';
import type { NoticedObject, TimedNotice } from '../processor/webhook-ports.ts';

const pageMax = 5_000;

const readText = `
select event_id, type, object_kind, object_id, created_at from billing.webhook_event
where processor = $1 and created_at >= $2 and created_at < $3 and (created_at, event_id) > ($4, $5)
order by created_at, event_id limit ${pageMax}`;

interface Row {
  readonly event_id: string;
  readonly type: string;
  readonly object_kind: NoticedObject['kind'];
  readonly object_id: string;
  readonly created_at: Date;
}

/** Reads the webhooks in the inbox whose events are of the window, page by page. */
export async function* readInbox(
  db: Queryable,
  { processor, sinceMs, untilMs }: TimeWindow & { readonly processor: string },
): AsyncGenerator<TimedNotice> {
  let last = [toIso(sinceMs), ''];
  for (;;) {
    const rows = await db.query<Row & object>(readText, [processor, toIso(sinceMs), toIso(untilMs), ...last]);
    for (const { event_id: eventId, type, object_kind: kind, object_id: id, created_at: created } of rows)
      yield { eventId, type, object: { kind, id }, createdAtMs: created.getTime() };
    const end = rows.at(-1);
    if (!end || rows.length < pageMax) return;
    last = [end.created_at.toISOString(), end.event_id];
  }
}

const findText = `select event_id from billing.webhook_event where processor = $1 and event_id = any ($2)`;

/** Returns those of the given events that are in the inbox, whenever they were made. */
export async function findReceived(
  db: Queryable,
  processor: string,
  eventIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ event_id: string }>(findText, [processor, eventIds]);
  return new Set(rows.map(({ event_id: id }) => id));
}
