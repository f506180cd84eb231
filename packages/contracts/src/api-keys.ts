import { z } from 'zod';
import { closedObject } from './closed-object.ts';
import { idSchema } from './id.ts';
import { listSchema } from './lists.ts';
import { textSchema } from './text-schema.ts';
import { isoTimeSchema } from './timestamp.ts';

export const createApiKeySchema = closedObject({
  name: textSchema({ min: 1, max: 100 }).meta({
    description: 'For its owner, to tell keys apart.',
    examples: ['production'],
  }),
}).meta({ id: 'NewApiKey', examples: [{ name: 'production' }] });

const apiKeySchema = z
  .object({
    id: idSchema.meta({ description: 'The id of the key. It is no secret.' }),
    name: z.string().meta({ description: 'The name from its creation.' }),
    prefix: z.string().meta({ description: 'The first characters of the key.', examples: ['tg_live_'] }),
    last_four: z.string().meta({ description: 'The last four characters of the key.', examples: ['x7Qd'] }),
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
