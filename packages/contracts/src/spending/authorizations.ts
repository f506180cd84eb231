import { z } from 'zod';
import { closedObject } from '../forms/closed-object.ts';
import { durationMsMax, idempotencyKeyLengthMax } from '../events/events.ts';
import { idSchema } from '../forms/id.ts';
import { listSchema, pageQueryShape } from '../forms/lists.ts';
import { metadataKeyLengthMax } from '../forms/metadata.ts';
import { payerSchema } from './payer.ts';
import { optional } from '../forms/optional.ts';
import { textSchema } from '../forms/text-schema.ts';
import { isoTimeSchema } from '../forms/timestamp.ts';

export const ttlSecondsDefault = 300;
/** An authorization may be extended until so long after it was asked for. */
export const authorizedSecondsMax = 86_400;
const measureMax = 1e12;

const usd = z.number().meta({ description: 'US dollars, up to six decimals.' });

/** A number that a price can sum has at most six decimals. */
const measureSchema = z
  .number()
  .min(0)
  .lt(measureMax)
  .refine((value) => /^\d+(\.\d{1,6})?$/.test(String(value)), {
    error: 'must have at most 6 decimals, and no exponent',
  });

export const maxSchema = closedObject({
  duration_ms: optional(z.int().min(0).max(durationMsMax)).meta({
    description: 'The most milliseconds that the call takes.',
  }),
  metadata: optional(z.record(textSchema({ min: 1, max: metadataKeyLengthMax }), measureSchema)).meta({
    description: 'The most of each metadata key that the price sums.',
    examples: [{ tokens: 4000 }],
  }),
}).meta({
  id: 'AuthorizedMax',
  description:
    'The most that the event of the call can have. Required where the price counts it, unless the tool has a `default_max`.',
});

const callsMax = 1_000;
const referenceLengthMax = 255;

const referenceSchema = textSchema({ min: 1, max: referenceLengthMax }).meta({
  description: 'A name of yours for the call, such as the id of its job. Its open authorizations are listed by it.',
  examples: ['job-1'],
});

const authorizationExample = { tool_id: 'web-search', max: { duration_ms: 2000, metadata: { tokens: 4000 } } };

export const askAuthorizationSchema = closedObject({
  tool_id: textSchema({ min: 1 }).meta({ description: 'The slug of the tool.', examples: ['web-search'] }),
  pass: optional(payerSchema).meta({
    description:
      'The pass of the consumer who pays, as the consumer gave it to you, or the OAuth access token with which its client came to your server. Required from the builder of the tool; without it your own account pays.',
    examples: ['tg_pass_0123456789ABCDEFabcdef0123456789ABCDEF'],
  }),
  max: optional(maxSchema),
  count: optional(z.int().min(1).max(callsMax)).meta({
    description:
      'The number of calls that are authorized, each of at most `max`. Each is captured separately, by its `call_index`.',
    default: 1,
  }),
  ttl_seconds: optional(z.int().min(5).max(3_600)).meta({
    description: 'Seconds until the authorization expires.',
    default: ttlSecondsDefault,
  }),
  reference: optional(referenceSchema),
  idempotency_key: optional(textSchema({ min: 1, max: idempotencyKeyLengthMax })).meta({
    description: 'A repeated key has the same answer and holds nothing more.',
  }),
}).meta({ id: 'AuthorizationInput', examples: [authorizationExample] });

export const increaseAuthorizationSchema = closedObject({ max: maxSchema }).meta({
  id: 'AuthorizationIncrease',
  examples: [{ max: { duration_ms: 4000, metadata: { tokens: 8000 } } }],
});

export const extendAuthorizationSchema = closedObject({
  ttl_seconds: z.int().min(5).max(authorizedSecondsMax).meta({
    description:
      'Seconds from now until the authorization expires. It never expires earlier than before, nor later than 24 hours after it was asked for.',
  }),
  reference: optional(referenceSchema),
}).meta({ id: 'AuthorizationExtension', examples: [{ ttl_seconds: 3600, reference: 'job-1' }] });

/** The query of the list of authorizations. */
export const authorizationsQuerySchema = z.object({ reference: referenceSchema, ...pageQueryShape });

export const authorizationSchema = z
  .object({
    id: idSchema,
    consumer_id: idSchema.meta({ description: 'The account that pays.' }),
    tool_id: z.string().meta({ description: 'The slug of the tool.' }),
    pass_id: idSchema.nullable().meta({ description: 'The pass that allows it; null without one.' }),
    price_id: idSchema.meta({ description: 'The price version in force when it was asked for.' }),
    count: z.int().meta({ description: 'How many events can capture it.' }),
    captured_count: z.int().meta({ description: 'How many events have captured it.' }),
    state: z.enum(['open', 'captured', 'settled', 'released', 'expired']).meta({
      description: '`captured`: its event is recorded. `settled`: its event is counted, and nothing is held any more.',
    }),
    held_usd: usd.meta({
      description: 'The money that is held: the most that its event can come to. 0 once nothing is held.',
    }),
    charged_usd: usd.nullable().meta({ description: 'What its event came to; null until it is counted.' }),
    remaining_usd: usd.nullable().meta({
      description:
        'What is left of the tightest cap. Only the account that pays sees it; null for others, and without a cap.',
    }),
    reference: z.string().nullable().meta({
      description: 'The name that its asker gave it; null without one, and for everybody else.',
    }),
    low: z.boolean().meta({ description: 'Less than 10 % is left of a cap.' }),
    expires_at: isoTimeSchema.meta({
      description: 'When the authorization expires. An event can capture it until then.',
    }),
  })
  .meta({ id: 'Authorization', description: 'Money that is held for one call.' });

export const authorizationListSchema = listSchema({
  id: 'AuthorizationList',
  name: 'authorizations',
  item: authorizationSchema,
});

export type AskAuthorization = z.output<typeof askAuthorizationSchema>;
export type AuthorizedMax = z.output<typeof maxSchema>;
