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
  /** Something is in the inbox. */
  readonly onStored: () => void;
}

/** Resolved: its signature is good and it is stored, so its sender may forget it. Applying it is another's work. */
export function createReceiveWebhook({ readNotice, database, processor, clock, onStored }: ReceiveWebhookDeps) {
  return async function receiveWebhook(webhook: SignedWebhook): Promise<void> {
    await storeNotice(database, readNotice(webhook), { processor: processor.name, atMs: clock.now() });
    onStored();
  };
}

export type ReceiveWebhook = ReturnType<typeof createReceiveWebhook>;
