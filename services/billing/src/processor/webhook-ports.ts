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

export interface WebhookInbox {
  /** Resolved: it is stored, now or before. Safe to repeat. */
  store(notice: Notice): Promise<void>;
  /** The oldest of those not applied yet, at most `max`; those that failed come last. */
  listUnapplied(max: number): Promise<readonly Notice[]>;
  /** Safe to repeat. */
  markApplied(eventId: string): Promise<void>;
  /** It stays, behind those that have not failed as often. */
  countFailure(eventId: string): Promise<void>;
}
