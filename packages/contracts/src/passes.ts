import { z } from 'zod';
import { closedObject } from './closed-object.ts';
import { idSchema } from './id.ts';
import { listSchema } from './lists.ts';
import { optional } from './optional.ts';
import { slugSchema } from './slug.ts';
import { textSchema } from './text-schema.ts';
import { isoTimeSchema, timestampSchema } from './timestamp.ts';

const passToolsMax = 100;
const tagsMax = 5;

const nameSchema = textSchema({ min: 1, max: 100 }).meta({
  description: 'For its owner, to tell passes apart.',
  examples: ['research agent'],
});

const toolsSchema = z
  .union([z.literal('*'), z.array(slugSchema).min(1).max(passToolsMax)])
  .meta({ description: 'The slugs of the tools that the pass allows; `*` for all tools.', examples: [['web-search']] });

const tagsSchema = z
  .record(textSchema({ min: 1, max: 40 }), textSchema({ max: 100 }))
  .check(({ value, issues }) => {
    if (Object.keys(value).length <= tagsMax) return;
    const message = `must have at most ${tagsMax} tags`;
    issues.push({ code: 'custom', input: value, message, params: { code: 'too_many_tags' } });
  })
  .meta({
    description: `Up to ${tagsMax} texts by name, for your own reports.`,
    maxProperties: tagsMax,
    examples: [{ team: 'research' }],
  });

const expiresAtSchema = timestampSchema.meta({
  description: 'From this time on the pass is refused.',
  examples: ['2032-01-01T00:00:00.000Z'],
});

export const createPassSchema = closedObject({
  name: nameSchema,
  tools: toolsSchema,
  expires_at: optional(expiresAtSchema),
  tags: optional(tagsSchema),
}).meta({ id: 'NewPass', examples: [{ name: 'research agent', tools: ['web-search'], tags: { team: 'research' } }] });

export const updatePassSchema = closedObject({
  name: nameSchema.optional(),
  tools: toolsSchema.optional(),
  expires_at: expiresAtSchema.nullable().optional(),
  tags: tagsSchema.optional(),
  paused: z.boolean().optional().meta({ description: 'A paused pass is refused until it is resumed.' }),
}).meta({ id: 'PassUpdate', description: 'Only the fields that are sent change.', examples: [{ paused: true }] });

export const rotatePassSchema = closedObject({
  grace_seconds: optional(z.int().min(0).max(86_400)).meta({
    description: 'For so long the earlier key still works. Default 0.',
    examples: [3_600],
  }),
}).meta({ id: 'PassRotation', examples: [{ grace_seconds: 3_600 }] });

export const passSchema = z
  .object({
    id: idSchema.meta({ description: 'The id of the pass. It is no secret.' }),
    name: nameSchema,
    tools: toolsSchema,
    paused: z.boolean(),
    tags: z.record(z.string(), z.string()),
    prefix: z.string().meta({ description: 'The first characters of its key.', examples: ['tg_pass_ab12'] }),
    last_four: z.string().meta({ description: 'The last four characters of its key.', examples: ['x7Qd'] }),
    created_at: isoTimeSchema,
    expires_at: isoTimeSchema.nullable().meta({ description: 'From this time on it is refused; null for never.' }),
  })
  .meta({ id: 'Pass', description: 'A key that a consumer hands out, without the key itself.' });

export const createdPassSchema = passSchema
  .extend({
    key: z.string().meta({
      description: 'The key. It is shown only once.',
      examples: ['tg_pass_0123456789ABCDEFabcdef0123456789ABCDEF'],
    }),
  })
  .meta({ id: 'CreatedPass' });

export const passListSchema = listSchema({ id: 'PassList', name: 'passes', item: passSchema });

export type CreatePass = z.output<typeof createPassSchema>;
export type UpdatePass = z.output<typeof updatePassSchema>;
export type ApiPass = z.infer<typeof passSchema>;
