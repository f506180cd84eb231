import { webhookTypes, type WebhookType } from '../webhooks/webhook-types.ts';
import { schemaOf } from './components.ts';

const headers = [
  ['webhook-id', 'The id of the event, the same at each attempt: whoever has seen it may answer 200 at once.'],
  ['webhook-timestamp', 'When this attempt was sent, in seconds since 1970, by real time.'],
  [
    'webhook-signature',
    '`v1,` and the base64 of HMAC-SHA-256 of `id.timestamp.body`; several, separated by spaces, while a secret is replaced.',
  ],
] as const;

const parameters = headers.map(([name, description]) => {
  return { name, in: 'header', required: true, description, schema: { type: 'string' } };
});

const responses = {
  '2XX': { description: 'The event was received. Answer before you work on it: after 15 seconds it counts as failed.' },
  '410': { description: 'The endpoint is disabled.' },
  default: { description: 'It is sent again, over four days. `Retry-After` is followed, up to a day.' },
};

/** The webhooks that endpoints are sent, by their types. */
export function webhooksOf(): Record<string, object> {
  return Object.fromEntries(
    Object.entries(webhookTypes).map(([name, type]) => [name, { post: toWebhook(name, type) }]),
  );
}

function toWebhook(name: string, { summary, data, example }: WebhookType): object {
  const schema = {
    type: 'object',
    properties: {
      type: { type: 'string', const: name },
      timestamp: { type: 'string', format: 'date-time', description: 'When it happened.' },
      data: schemaOf(data),
    },
    required: ['type', 'timestamp', 'data'],
  };
  const body = { type: name, timestamp: '2026-12-02T00:00:07.000Z', data: example };
  const requestBody = { required: true, content: { 'application/json': { schema, example: body } } };
  return { summary, parameters, requestBody, responses, security: [] };
}
