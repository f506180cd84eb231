import { toIso, type Clock } from '@tollgate/kernel/clock';
import type { Database } from '@tollgate/database/database';
import type { NoticedObject, WebhookInbox } from './webhook-ports.ts';

export interface WebhookInboxOptions {
  readonly worker: Database;
  readonly processor: string;
  readonly clock: Clock;
}

interface Row {
  readonly event_id: string;
  readonly type: string;
  readonly object_kind: NoticedObject['kind'];
  readonly object_id: string;
}

const storeText = `
insert into billing.webhook_event (processor, event_id, type, object_kind, object_id, received_at)
values ($1, $2, $3, $4, $5, $6) on conflict (processor, event_id) do nothing`;

const listText = `
select event_id, type, object_kind, object_id from billing.webhook_event
where processor = $1 and applied_at is null order by attempts, received_at limit $2`;

const markText = `
update billing.webhook_event set applied_at = $3 where processor = $1 and event_id = $2 and applied_at is null`;

const countText = `update billing.webhook_event set attempts = attempts + 1 where processor = $1 and event_id = $2`;

export function createPgWebhookInbox({ worker, processor, clock }: WebhookInboxOptions): WebhookInbox {
  return {
    async store({ eventId, type, object }) {
      await worker.query(storeText, [processor, eventId, type, object.kind, object.id, toIso(clock.now())]);
    },
    async listUnapplied(max) {
      const rows = await worker.query<Row>(listText, [processor, max]);
      return rows.map((row) => ({
        eventId: row.event_id,
        type: row.type,
        object: { kind: row.object_kind, id: row.object_id },
      }));
    },
    async markApplied(eventId) {
      await worker.query(markText, [processor, eventId, toIso(clock.now())]);
    },
    async countFailure(eventId) {
      await worker.query(countText, [processor, eventId]);
    },
  };
}
