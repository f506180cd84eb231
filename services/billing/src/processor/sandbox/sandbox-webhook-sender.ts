import { toIso, type Clock } from '@tollgate/kernel/clock';
import type { Database } from '@tollgate/database/database';
import type { SignedWebhook } from '../webhook-ports.ts';
import { signWebhook } from './sandbox-webhook-reader.ts';

export interface SandboxWebhookSenderOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly secret: string;
  /** Delivers one webhook. When it resolves, the webhook is not sent again; when it rejects, it is sent again later. */
  readonly deliver: (webhook: SignedWebhook) => Promise<void>;
}

interface EventRow {
  readonly event_id: string;
  readonly type: string;
  readonly object_id: string;
  readonly created_at: Date;
}

const listText = `
select event_id, type, object_id, created_at from sandbox.event
where delivered_at is null and created_at <= $1 order by created_at limit 100`;

const markText = `update sandbox.event set delivered_at = $2 where event_id = $1`;

/**
 * Sends the webhooks that were not yet received. A crash in between sends one twice, which receivers must expect
 * anyway.
 */
export function createSandboxWebhookSender({ database, clock, secret, deliver }: SandboxWebhookSenderOptions) {
  return async function sendWebhooks(): Promise<void> {
    for (const event of await database.query<EventRow>(listText, [toIso(clock.now())])) {
      await deliver(sign(event));
      await database.query(markText, [event.event_id, toIso(clock.now())]);
    }
  };

  function sign({ event_id, type, object_id, created_at }: EventRow): SignedWebhook {
    const created = Math.floor(created_at.getTime() / 1_000);
    const rawBody = Buffer.from(JSON.stringify({ id: event_id, type, created, object_id }));
    return { rawBody, signature: signWebhook({ rawBody, secret, seconds: Math.floor(clock.now() / 1_000) }) };
  }
}
