import { z } from 'zod';
import { closedObject } from '../forms/closed-object.ts';
import { idSchema } from '../forms/id.ts';
import { listSchema } from '../forms/lists.ts';
import { optional } from '../forms/optional.ts';
import { keyScopes } from '../routes/route.ts';
import { textSchema } from '../forms/text-schema.ts';
import { isoTimeSchema, timestampSchema } from '../forms/timestamp.ts';

const canSchema = z
  .array(z.enum(keyScopes))
  .min(1)
  .max(keyScopes.length)
  .meta({
    description:
      'What the key opens: `events` records, authorizes and reads its authorizations, `read` opens GET and makes embeds, `manage` all other changes.',
    examples: [['events']],
  });

export const createApiKeySchema = closedObject({
  name: textSchema({ min: 1, max: 100 }).meta({
    description: 'For its owner, to tell keys apart.',
    examples: ['production'],
  }),
  can: optional(canSchema),
  expires_at: optional(timestampSchema).meta({
    description: 'From this time on the key is refused.',
    examples: ['2032-01-01T00:00:00.000Z'],
  }),
}).meta({ id: 'NewApiKey', examples: [{ name: 'production', can: ['events'] }] });

export const apiKeySchema = z
  .object({
    id: idSchema.meta({ description: 'The id of the key. It is no secret.' }),
    name: z.string().meta({ description: 'The name from its creation.' }),
    prefix: z.string().meta({ description: 'The first characters of the key.', examples: ['tg_live_'] }),
    last_four: z.string().meta({ description: 'The last four characters of the key.', examples: ['x7Qd'] }),
    can: canSchema,
    expires_at: isoTimeSchema.nullable().meta({ description: 'From this time on it is refused; null for never.' }),
    created_at: isoTimeSchema,
    last_used_at: isoTimeSchema.nullable().meta({ description: 'Null if never used; may lag by minutes.' }),
  })
  .meta({ id: 'ApiKey', description: 'An API key, without the key itself.' });

export const createdApiKeySchema = apiKeySchema
  .extend({
    key: z
      .string()
      .optional()
      .meta({
        description: 'The key. It is shown only once: a replay of the request leaves it out.',
        examples: ['tg_live_0123456789ABCDEFabcdef0123456789ABCDEF'],
      }),
  })
  .meta({ id: 'CreatedApiKey' });

export const apiKeyListSchema = listSchema({ id: 'ApiKeyList', name: 'api_keys', item: apiKeySchema });

export type CreateApiKeyRequest = z.infer<typeof createApiKeySchema>;
export type ApiKey = z.infer<typeof apiKeySchema>;
export type CreatedApiKey = z.infer<typeof createdApiKeySchema>;
export type ApiKeyList = z.infer<typeof apiKeyListSchema>;
