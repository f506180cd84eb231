import { hourMs } from '@tollgate/kernel/durations';
import { z } from 'zod';
import { maxSchema } from '../spending/authorizations.ts';
import { closedObject } from '../forms/closed-object.ts';
import { idSchema } from '../forms/id.ts';
import { listSchema, pageQueryShape } from '../forms/lists.ts';
import { optional } from '../forms/optional.ts';
import { priceInputSchema } from './price-input.ts';
import { priceSchema } from './price.ts';
import { resourceSchema } from '../forms/resource.ts';
import { slugSchema } from '../forms/slug.ts';
import { textSchema } from '../forms/text-schema.ts';
import { isoTimeSchema, timestampSchema } from '../forms/timestamp.ts';

const nameSchema = textSchema({ min: 1, max: 200 }).meta({ description: 'For people.', examples: ['Web search'] });
const descriptionSchema = textSchema({ max: 2000 }).meta({ description: 'For people.' });

/** Gateways have it in memory for each tool. */
const defaultMaxKeysMax = 20;

const defaultMaxSchema = maxSchema
  .refine(({ metadata = {} }) => Object.keys(metadata).length <= defaultMaxKeysMax, {
    path: ['metadata'],
    error: `must have at most ${defaultMaxKeysMax} keys`,
    params: { code: 'too_long' },
  })
  .transform(({ duration_ms, metadata }) => ({
    ...(duration_ms !== undefined && { duration_ms }),
    ...(metadata !== undefined && { metadata }),
  }))
  .meta({
    description:
      'The `max` of an authorization that gives none. An authorization with a `max` of its own takes nothing of it. `{}` removes it.',
    examples: [{ metadata: { tokens: 4000 } }],
  });

export const createToolSchema = closedObject({
  slug: slugSchema,
  name: nameSchema,
  description: optional(descriptionSchema),
  price: priceInputSchema,
  default_max: optional(defaultMaxSchema),
}).meta({
  id: 'NewTool',
  examples: [
    { slug: 'web-search', name: 'Web search', description: 'Searches the web.', price: { per_call_usd: '0.002' } },
  ],
});

export const updateToolSchema = closedObject({
  name: nameSchema.optional(),
  description: optional(descriptionSchema),
  default_max: optional(defaultMaxSchema),
  resource: resourceSchema.nullable().optional().meta({
    description:
      'The https URL of the MCP server that serves the tool; `null` removes it. Before, the server must answer, at the well-known path of RFC 9728, a document with this `resource`, with this Tollgate among its `authorization_servers`, and with your account id as `tollgate_account`.',
  }),
}).meta({
  id: 'ToolUpdate',
  description:
    'Absent fields do not change. `null` removes the resource and leaves other fields as they are; `""` empties the description.',
  examples: [{ name: 'Web search', description: 'Searches the web.' }],
});

export const createPriceVersionSchema = closedObject({
  price: priceInputSchema,
  effective_from: timestampSchema
    .refine((ms) => ms % hourMs === 0, { error: 'must be on a full UTC hour', params: { code: 'not_on_the_hour' } })
    .meta({
      description: 'A full UTC hour, at least one hour ahead.',
      format: 'date-time',
      examples: ['2099-01-01T00:00:00.000Z'],
    }),
}).meta({
  id: 'NewPriceVersion',
  examples: [{ price: { per_call_usd: '0.003' }, effective_from: '2099-01-01T00:00:00.000Z' }],
});

export const toolQuerySchema = z.object({
  ...pageQueryShape,
  owner: z.enum(['me', 'all']).default('me').meta({ description: '`me`: your tools. `all`: the public catalogue.' }),
});

export const toolSchema = z
  .object({
    slug: z.string().meta({
      description: 'The name of the tool in paths and events; `tool_id` of its events.',
      examples: ['web-search'],
    }),
    name: z.string().meta({ description: 'For people.' }),
    description: z.string().nullable().meta({ description: 'Null if it was never set.' }),
    sold_by: z
      .string()
      .nullable()
      .meta({
        description: 'The public name of the account that sells it. Nobody has verified it. Null: it has none.',
        examples: ['Weather House'],
      }),
    price: priceSchema,
    default_max: maxSchema.nullable().meta({
      description: 'The `max` of an authorization that gives none; null: authorizations must give one.',
    }),
    resource: z
      .string()
      .nullable()
      .meta({
        description:
          'The URL of the MCP server that serves the tool: OAuth tokens for it open the tool. Null for none.',
        examples: ['https://mcp.example.com/mcp'],
      }),
    archived: z.boolean().meta({ description: 'Whether the tool takes no events any more. This is final.' }),
    created_at: isoTimeSchema,
  })
  .meta({ id: 'Tool', description: '`price` is the price that is in force now.' });

export const priceVersionSchema = z
  .object({
    id: idSchema.meta({ description: 'The id of the version: `price_id` of invoice lines.' }),
    price: priceSchema,
    effective_from: isoTimeSchema
      .nullable()
      .meta({ description: 'Null for the first version, which applies to any earlier time.' }),
    created_at: isoTimeSchema,
  })
  .meta({ id: 'PriceVersion' });

export const toolListSchema = listSchema({ id: 'ToolList', name: 'tools', item: toolSchema });
export const priceVersionListSchema = listSchema({ id: 'PriceVersionList', name: 'prices', item: priceVersionSchema });

export type CreateToolRequest = z.output<typeof createToolSchema>;
export type UpdateToolRequest = z.output<typeof updateToolSchema>;
export type CreatePriceVersionRequest = z.output<typeof createPriceVersionSchema>;
export type ToolQuery = z.output<typeof toolQuerySchema>;
export type Tool = z.infer<typeof toolSchema>;
export type PriceVersion = z.infer<typeof priceVersionSchema>;
export type ToolList = z.infer<typeof toolListSchema>;
export type PriceVersionList = z.infer<typeof priceVersionListSchema>;
