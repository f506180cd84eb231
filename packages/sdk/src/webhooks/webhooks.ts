import { systemClock } from '../clock.ts';
import { verifyWebhook, type Delivery, type WebhookEvent, type WebhookHeaders } from './verify-webhook.ts';

/** Receiving webhooks. It calls nobody and needs no API key. */
export const webhooks = {
  /**
   * Checks that Tollgate sent this body within the last five minutes, and returns what it says. `body`: exactly as it was
   * received. `secret`: `whsec_…` of the endpoint. Rejects with a `WebhookError`, whose `code` names what is wrong.
   */
  verify: (body: Delivery['body'], headers: WebhookHeaders, secret: string): Promise<WebhookEvent> =>
    verifyWebhook({ body, headers }, { secret, nowMs: systemClock.now() }),
};
