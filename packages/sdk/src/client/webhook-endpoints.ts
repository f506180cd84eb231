import { Listing } from './listing.ts';
import type { Query, Schemas } from './operation-types.ts';
import type { CallOptions } from './attempt.ts';
import type { Call } from './request.ts';

/** Addresses of yours that are told what happens. */
export function webhookEndpointsOf(call: Call) {
  return {
    /** Registers an endpoint. The answer alone has its secret, in `secret`, by which `webhooks.verify` checks what comes. */
    create: (body: Schemas['NewWebhookEndpoint'], options?: CallOptions) =>
      call('createWebhookEndpoint', { body }, options),
    /** All of them: there are ten at most. */
    list: (options?: CallOptions) => call('listWebhookEndpoints', {}, options),
    get: (id: string, options?: CallOptions) => call('getWebhookEndpoint', { path: { id } }, options),
    /** Changes the fields that you send; `enabled` stops it, and lets it go on. */
    update: (id: string, body: Schemas['WebhookEndpointUpdate'], options?: CallOptions) =>
      call('updateWebhookEndpoint', { path: { id }, body }, options),
    delete: (id: string, options?: CallOptions) => call('deleteWebhookEndpoint', { path: { id } }, options),
    /** Gives it a new secret, in `secret`. For `grace_seconds` more the earlier one signs, too. */
    rotateSecret: (id: string, body: Schemas['WebhookSecretRotation'] = {}, options?: CallOptions) =>
      call('rotateWebhookSecret', { path: { id }, body }, options),
    /** Sends it an event of the type `webhook.test`. */
    test: (id: string, options?: CallOptions) => call('testWebhookEndpoint', { path: { id } }, options),
    /** Sends it the events from a time on that it was told in vain, or not at all. */
    redeliver: (id: string, body: Schemas['WebhookRedelivery'], options?: CallOptions) =>
      call('redeliverFailedWebhooks', { path: { id }, body }, options),
  };
}

/** Events of the last 30 days, and whom they were told. */
export function webhookEventsOf(call: Call) {
  return {
    list: (query?: Query<'listWebhookEvents'>, options?: CallOptions) =>
      new Listing(call, { id: 'listWebhookEvents', query, options }, (page) => page.webhook_events),
    get: (id: string, options?: CallOptions) => call('getWebhookEvent', { path: { id } }, options),
    /** Each try to tell it, with the status and the beginning of the answer. */
    attempts: (id: string, options?: CallOptions) => call('listWebhookAttempts', { path: { id } }, options),
    /** Sends it to the endpoints that would be told it now. */
    redeliver: (id: string, options?: CallOptions) => call('redeliverWebhookEvent', { path: { id } }, options),
  };
}
