/** A webhook as it arrived. */
export interface SignedWebhook {
  readonly rawBody: Uint8Array;
  readonly signature: string | undefined;
}

/**
 * The content of a webhook that we trust: something happened to this object. Its state is never taken from the webhook.
 */
export interface Notice {
  readonly eventId: string;
  readonly type: string;
  readonly object: NoticedObject;
}

/** A notice with the time of its event, as the processor has it, in whole seconds. */
export interface TimedNotice extends Notice {
  readonly createdAtMs: number;
}

/** `other`: an object that billing does not follow. */
export interface NoticedObject {
  readonly kind: 'account' | 'customer' | 'charge' | 'refund' | 'transfer' | 'dispute' | 'own_payout' | 'other';
  readonly id: string;
}

/**
 * Checks a webhook's signature and reads its notice. Throws `invalid_request` if the processor did not sign it, or
 * signed it more than 300 s ago.
 */
export type ReadNotice = (webhook: SignedWebhook) => TimedNotice;
