import { createHmac } from 'node:crypto';
import { createStripeId, type StripeState } from './stripe-state.ts';

export interface StripeEvent {
  readonly id: string;
  readonly object: 'event';
  readonly type: string;
  readonly created: number;
  /** The connected account in which it happened; absent for the platform's own. */
  readonly account?: string;
  readonly data: { readonly object: object; readonly previous_attributes?: object };
}

export interface WebhookAddress {
  readonly url: string;
  readonly secret: string;
}

export interface StripeWebhooks {
  /** All events. Each was sent once if there is an address, and may be sent again. */
  readonly events: readonly StripeEvent[];
  /** Sets the address from now on. */
  sendTo(address: WebhookAddress): void;
  happened(type: string, data: StripeEvent['data'], account?: string): void;
  /** Sends an event again and returns the status of the answer. */
  send(event: StripeEvent): Promise<number>;
  /** Resolves when every event under way has arrived. */
  settle(): Promise<void>;
}

/** Computes `Stripe-Signature` by its description, not with the library that checks it. */
export function signStripeWebhook(rawBody: string, { secret, seconds }: { secret: string; seconds: number }): string {
  const digest = createHmac('sha256', secret).update(`${seconds}.${rawBody}`).digest('hex');
  return `t=${seconds},v1=${digest}`;
}

export function createStripeWebhooks({ nowSeconds }: Pick<StripeState, 'nowSeconds'>): StripeWebhooks {
  const events: StripeEvent[] = [];
  const onTheirWay = new Set<Promise<unknown>>();
  let address: WebhookAddress | undefined;

  async function send(event: StripeEvent): Promise<number> {
    if (!address) throw new Error('nobody has said where webhooks go');
    const body = JSON.stringify(event, null, 2); // Stripe indents its JSON, so serialising it again gives other bytes
    const signature = signStripeWebhook(body, { secret: address.secret, seconds: nowSeconds() });
    const headers = { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature };
    return (await fetch(address.url, { method: 'POST', headers, body })).status;
  }

  return {
    events,
    sendTo: (to) => void (address = to),
    happened(type, data, account) {
      const facts = { id: createStripeId('evt'), object: 'event', type, created: nowSeconds(), data } as const;
      const event = { ...facts, ...(account !== undefined && { account }) };
      events.push(event);
      if (!address) return;
      const sending = send(event)
        .catch(() => undefined) // billing must bear a lost webhook
        .finally(() => onTheirWay.delete(sending));
      onTheirWay.add(sending);
    },
    send,
    settle: async () => void (await Promise.all(onTheirWay)),
  };
}
