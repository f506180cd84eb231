/** What arrived at a webhook's address, as it came. */
export interface SignedWebhook {
  readonly rawBody: Uint8Array;
  readonly signature: string | undefined;
}

/** What a webhook is believed: that something happened, and where to look. Never what it says of the object. */
export interface Notice {
  readonly eventId: string;
  readonly type: string;
  readonly object: NoticedObject;
}

/** `other`: nothing that billing follows. */
export interface NoticedObject {
  readonly kind: 'account' | 'customer' | 'charge' | 'refund' | 'transfer' | 'dispute' | 'other';
  readonly id: string;
}

/** Throws `invalid` for what the processor did not sign, or signed more than 300 s ago: no reader gets to see it. */
export type ReadNotice = (webhook: SignedWebhook) => Notice;
