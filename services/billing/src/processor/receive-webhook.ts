import type { Clock } from '@tollgate/kernel/clock';
import type { Queryable } from '@tollgate/database/database';
import type { Processor } from './processor.ts';
import { storeNotice } from './sql-webhook-events.ts';
import type { ReadNotice, SignedWebhook } from './webhook-ports.ts';

export interface ReceiveWebhookDeps {
  readonly readNotice: ReadNotice;
  readonly database: Queryable;
  readonly processor: Pick<Processor, 'name'>;
  readonly clock: Clock;
  /** Called when a webhook is in the inbox. */
  readonly onStored: () => void;
}

/**
 * Checks a webhook's signature and stores its notice. When it resolves, the sender need not send it again.
 * `applyWebhooks` applies it later. Throws `invalid_request` for a wrong signature.
 */
export function createReceiveWebhook({ readNotice, database, processor, clock, onStored }: ReceiveWebhookDeps) {
  return async function receiveWebhook(webhook: SignedWebhook): Promise<void> {
    await storeNotice(database, readNotice(webhook), { processor: processor.name, atMs: clock.now() });
    onStored();
  };
}

export type ReceiveWebhook = ReturnType<typeof createReceiveWebhook>;
