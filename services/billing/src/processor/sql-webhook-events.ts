import { toIso } from '@tollgate/kernel/clock';
import type { Queryable } from '@tollgate/database/database';
import type { Notice, NoticedObject, TimedNotice } from './webhook-ports.ts';

/** A webhook, by processor and event id: two processors may use the same id. */
export interface NoticeAt {
  readonly processor: string;
  readonly eventId: string;
}

const storeText = `
insert into billing.webhook_event (processor, event_id, type, object_kind, object_id, received_at, created_at)
values ($1, $2, $3, $4, $5, $6, $7) on conflict (processor, event_id) do nothing`;

/** Stores a notice, unless it is stored already. Safe to repeat. */
export async function storeNotice(
  db: Queryable,
  notice: TimedNotice,
  received: { readonly processor: string; readonly atMs: number },
): Promise<void> {
  const { eventId, type, object } = notice;
  const times = [toIso(received.atMs), toIso(notice.createdAtMs)];
  const statement = { name: 'billing.store_notice', text: storeText };
  await db.query(statement, [received.processor, eventId, type, object.kind, object.id, ...times]);
}

interface Row {
  readonly event_id: string;
  readonly type: string;
  readonly object_kind: NoticedObject['kind'];
  readonly object_id: string;
}

const listText = `
select event_id, type, object_kind, object_id from billing.webhook_event
where processor = $1 and applied_at is null order by attempts, received_at limit $2`;

/** Lists webhooks to apply, the oldest first. Webhooks that failed come after those that failed less often. */
export async function listUnappliedNotices(db: Queryable, processor: string, limit: number): Promise<Notice[]> {
  const rows = await db.query<Row>({ name: 'billing.list_unapplied_notices', text: listText }, [processor, limit]);
  return rows.map((row) => ({
    eventId: row.event_id,
    type: row.type,
    object: { kind: row.object_kind, id: row.object_id },
  }));
}

const markText = `
update billing.webhook_event set applied_at = $3 where processor = $1 and event_id = $2 and applied_at is null`;

/** Marks a webhook as applied. Safe to repeat. */
export async function markNoticeApplied(db: Queryable, { processor, eventId }: NoticeAt, atMs: number): Promise<void> {
  const statement = { name: 'billing.mark_notice_applied', text: markText };
  await db.query(statement, [processor, eventId, toIso(atMs)]);
}

const countText = `update billing.webhook_event set attempts = attempts + 1 where processor = $1 and event_id = $2`;

/** Counts a failure to apply a webhook. It stays in the inbox, behind those that failed less often. */
export async function countNoticeFailure(db: Queryable, { processor, eventId }: NoticeAt): Promise<void> {
  await db.query(countText, [processor, eventId]);
}
