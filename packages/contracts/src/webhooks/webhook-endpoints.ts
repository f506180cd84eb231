import { z } from 'zod';
import { closedObject } from '../forms/closed-object.ts';
import { idSchema } from '../forms/id.ts';
import { optional } from '../forms/optional.ts';
import { textSchema } from '../forms/text-schema.ts';
import { isoTimeSchema, timestampSchema } from '../forms/timestamp.ts';
import { webhookTypes, type WebhookTypeName } from './webhook-types.ts';

export const webhookEndpointsMax = 10;

const names = Object.keys(webhookTypes).filter((name) => name !== 'webhook.test') as WebhookTypeName[]; // its keys are these

const typesSchema = z
  .array(z.enum(names))
  .min(1)
  .max(100)
  .meta({ description: 'What it is told. Null: everything.', examples: [['invoice.paid', 'payout.paid']] });

const urlSchema = textSchema({ min: 1, max: 2_048 }).meta({
  description:
    'An https address of yours, at port 443 or from 1024 on. It must lead to the public Internet, and no user name may be in it.',
  examples: ['https://example.com/tollgate'],
});

const descriptionSchema = textSchema({ max: 500 }).meta({ description: 'For you, to tell endpoints apart.' });

export const createWebhookEndpointSchema = closedObject({
  url: urlSchema,
  types: optional(typesSchema),
  description: optional(descriptionSchema),
}).meta({
  id: 'NewWebhookEndpoint',
  examples: [{ url: 'https://example.com/tollgate', types: ['invoice.paid', 'payout.paid'] }],
});

export const updateWebhookEndpointSchema = closedObject({
  url: urlSchema.optional(),
  types: typesSchema.nullable().optional(),
  description: descriptionSchema.nullable().optional(),
  enabled: z.boolean().optional().meta({
    description:
      'A disabled endpoint is told nothing of what happens. What was on its way to it waits until it is enabled again.',
  }),
}).meta({
  id: 'WebhookEndpointUpdate',
  description: 'Only the fields that are sent change.',
  examples: [{ enabled: true }],
});

export const rotateWebhookSecretSchema = closedObject({
  grace_seconds: optional(z.int().min(0).max(86_400)).meta({
    description: 'Seconds for which each webhook is signed with the earlier secret, too. Default: 0.',
    examples: [3_600],
  }),
}).meta({ id: 'WebhookSecretRotation', examples: [{ grace_seconds: 3_600 }] });

export const redeliverFailedSchema = closedObject({
  from: timestampSchema.meta({ description: 'Only events from this time on.' }),
}).meta({ id: 'WebhookRedelivery', examples: [{ from: '2026-11-21T12:00:00.000Z' }] });

export const webhookEndpointSchema = z
  .object({
    id: idSchema.meta({ description: 'The id of the endpoint.' }),
    url: z.string(),
    types: z.array(z.string()).nullable().meta({ description: 'What it is told. Null: everything.' }),
    description: z.string().nullable(),
    enabled: z.boolean(),
    disabled_reason: z.enum(['owner', 'gone', 'failing']).nullable().meta({
      description:
        'Null while it is enabled. `owner`: you disabled it. `gone`: it answered 410. `failing`: it answered nothing with success for five days.',
    }),
    failing_since: isoTimeSchema
      .nullable()
      .meta({ description: 'Its first failure since its last success; null if its last answer was a success.' }),
    created_at: isoTimeSchema,
  })
  .meta({ id: 'WebhookEndpoint', description: 'An address that is told what happens.' });

export const createdWebhookEndpointSchema = webhookEndpointSchema
  .extend({
    secret: z.string().meta({
      description: 'Checks the signatures of its webhooks. It is shown only once.',
      examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    }),
  })
  .meta({ id: 'CreatedWebhookEndpoint' });

export const webhookEndpointListSchema = z
  .object({
    webhook_endpoints: z.array(webhookEndpointSchema),
    total: z.int().min(0).meta({ description: 'The number of endpoints.' }),
  })
  .meta({ id: 'WebhookEndpointList', description: `All of them, oldest first: at most ${webhookEndpointsMax}.` });

export const redeliveredSchema = z
  .object({ redelivered: z.int().min(0).meta({ description: 'How many events are sent again.' }) })
  .meta({ id: 'WebhooksRedelivered' });

export type CreateWebhookEndpoint = z.output<typeof createWebhookEndpointSchema>;
export type UpdateWebhookEndpoint = z.output<typeof updateWebhookEndpointSchema>;
export type ApiWebhookEndpoint = z.infer<typeof webhookEndpointSchema>;
