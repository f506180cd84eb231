import { toIso } from '@tollgate/kernel/clock';
import type { Queryable, Transaction } from '@tollgate/database/database';
import { isUuid } from '@tollgate/kernel/uuid';
import type { TimeWindow, ExistingMovement } from '../processor/processor.ts';
import type { NoticedObject, TimedNotice } from '../processor/webhook-ports.ts';
import { foreignRefundId } from '../refunds/follow-foreign-refund.ts';

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

/** An attempt knows its object. Until it does, it knows an object by the mark that the processor keeps. */
const movementsText = `
select o.object_id from unnest($2::text[], $3::uuid[], $4::uuid[]) as o (object_id, attempt_id, refund_id)
where exists (select from billing.processor_attempt a where a.processor = $1 and a.object_id = o.object_id)
  or exists (select from billing.processor_attempt a where a.attempt_id = o.attempt_id and a.object_id is null)
  or exists (select from billing.refund r where r.refund_id = o.refund_id)
  or exists (select from billing.top_up_refund r where r.refund_id = o.refund_id)`;

/** Returns the ids of the given objects of the processor that are in our books, in any period. */
export async function findKnownMovements(
  tx: Transaction,
  processor: string,
  movements: readonly ExistingMovement[],
): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ object_id: string }>(movementsText, [
    processor,
    movements.map(({ objectId }) => objectId),
    movements.map(({ attemptId }) => (attemptId !== undefined && isUuid(attemptId) ? attemptId : null)),
    movements.map(({ objectId }) => foreignRefundId(processor, objectId)),
  ]);
  return new Set(rows.map(({ object_id: id }) => id));
}

const disputesText = `
select processor_dispute_id as object_id from billing.dispute where processor = $1 and processor_dispute_id = any ($2)`;

/** Returns the given disputes that are in our books. */
export async function findKnownDisputes(
  tx: Transaction,
  processor: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ object_id: string }>(disputesText, [processor, ids]);
  return new Set(rows.map(({ object_id: id }) => id));
}
