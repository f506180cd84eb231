import type { ReadNotice, SignedWebhook, WebhookInbox } from './webhook-ports.ts';

export interface ReceiveWebhookDeps {
  readonly readNotice: ReadNotice;
  readonly inbox: WebhookInbox;
  /** Something is in the inbox. */
  readonly onStored: () => void;
}

/** Resolved: its signature is good and it is stored, so its sender may forget it. Applying it is another's work. */
export function createReceiveWebhook({ readNotice, inbox, onStored }: ReceiveWebhookDeps) {
  return async function receiveWebhook(webhook: SignedWebhook): Promise<void> {
    await inbox.store(readNotice(webhook));
    onStored();
  };
}

export type ReceiveWebhook = ReturnType<typeof createReceiveWebhook>;
