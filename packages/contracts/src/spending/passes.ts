import { z } from 'zod';
import { closedObject } from '../forms/closed-object.ts';
import { idSchema } from '../forms/id.ts';
import { listSchema } from '../forms/lists.ts';
import { optional } from '../forms/optional.ts';
import { slugSchema } from '../forms/slug.ts';
import { textSchema } from '../forms/text-schema.ts';
import { isoTimeSchema, timestampSchema } from '../forms/timestamp.ts';
import { payerSchema } from './payer.ts';
import { resourceSchema } from '../forms/resource.ts';
import { usdAmountSchema, usdMicrosSchema } from '../forms/usd-amount.ts';

const passToolsMax = 100;
export const passTagsMax = 5;
/** The longest name, in characters. */
export const passTagLengthMax = 40;

export const nameSchema = textSchema({ min: 1, max: 100 }).meta({
  description: 'For its owner, to tell passes apart.',
  examples: ['research agent'],
});

export const toolsSchema = z
  .union([z.literal('*'), z.array(slugSchema).min(1).max(passToolsMax)])
  .meta({ description: 'The slugs of the tools that the pass allows; `*` for all tools.', examples: [['web-search']] });

const tagsSchema = z
  .record(textSchema({ min: 1, max: passTagLengthMax }), textSchema({ max: 100 }))
  .check(({ value, issues }) => {
    if (Object.keys(value).length <= passTagsMax) return;
    const message = `must have at most ${passTagsMax} tags`;
    issues.push({ code: 'custom', input: value, message, params: { code: 'too_many_tags' } });
  })
  .meta({
    description: `Up to ${passTagsMax} texts by name, for your own reports.`,
    maxProperties: passTagsMax,
    examples: [{ team: 'research' }],
  });

export const expiresAtSchema = timestampSchema.meta({
  description: 'From this time on the pass is refused.',
  examples: ['2032-01-01T00:00:00.000Z'],
});

const usd = z.number().meta({ description: 'US dollars, up to six decimals.' });

const windowSchema = z.enum(['day', 'month', 'total']).meta({
  description: 'A day or a calendar month, in UTC; `total`: once and for all.',
});

export const capSchema = closedObject({ amount_usd: usdAmountSchema, window: windowSchema }).meta({
  id: 'PassCap',
  description:
    'The most that calls with the pass may come to in a window. Calls that do not fit into it are refused with 402.',
  examples: [{ amount_usd: 5, window: 'day' }],
});

export const perCallMaxSchema = usdMicrosSchema.meta({
  description: 'A call that can come to more is refused with 402.',
  examples: [0.05],
});

const approveAboveSchema = usdMicrosSchema.meta({
  description:
    'An authorization for a call that can come to more needs the approval of the owner of the pass. Calls that are recorded without an authorization do not.',
  examples: [1],
});

export const createPassSchema = closedObject({
  name: nameSchema,
  tools: toolsSchema,
  cap: optional(capSchema),
  per_call_max_usd: optional(perCallMaxSchema),
  approve_above_usd: optional(approveAboveSchema),
  expires_at: optional(expiresAtSchema),
  tags: optional(tagsSchema),
}).meta({
  id: 'NewPass',
  examples: [
    {
      name: 'research agent',
      tools: ['web-search'],
      cap: { amount_usd: 5, window: 'day' },
      tags: { team: 'research' },
    },
  ],
});

export const updatePassSchema = closedObject({
  name: nameSchema.optional(),
  tools: toolsSchema.optional(),
  cap: capSchema
    .nullable()
    .optional()
    .meta({ description: 'The new cap; `null` takes it away. A raised cap counts at once.' }),
  per_call_max_usd: perCallMaxSchema.nullable().optional(),
  approve_above_usd: approveAboveSchema.nullable().optional(),
  expires_at: expiresAtSchema.nullable().optional(),
  tags: tagsSchema.optional(),
  paused: z.boolean().optional().meta({ description: 'A paused pass is refused until it is resumed.' }),
}).meta({
  id: 'PassUpdate',
  description: 'Only the fields that are sent change.',
  examples: [{ cap: { amount_usd: 10, window: 'day' } }],
});

export const rotatePassSchema = closedObject({
  grace_seconds: optional(z.int().min(0).max(86_400)).meta({
    description: 'Seconds for which the earlier key still works. Default: 0.',
    examples: [3_600],
  }),
}).meta({ id: 'PassRotation', examples: [{ grace_seconds: 3_600 }] });

export const passSchema = z
  .object({
    id: idSchema.meta({ description: 'The id of the pass. It is no secret.' }),
    parent_id: idSchema.nullable().meta({
      description:
        'The pass that made it, which bounds it and pays for its calls, too; null for a pass of the account.',
    }),
    name: nameSchema,
    tools: toolsSchema,
    cap: z.object({ amount_usd: usd, window: windowSchema }).nullable().meta({ description: 'Null without a cap.' }),
    per_call_max_usd: usd
      .nullable()
      .meta({ description: 'The most that one call may come to; null without such a limit.' }),
    approve_above_usd: usd
      .nullable()
      .meta({ description: 'A call that can come to more needs your approval; null if none does.' }),
    spent_usd: usd.nullable().meta({
      description:
        'What counted calls of this window came to, those of all passes below it included; null without a cap. More than the cap where you approved a call beyond it.',
    }),
    held_usd: usd.nullable().meta({
      description:
        'What is held for calls that are authorized or not counted yet, likewise with all passes below; null without a cap.',
    }),
    remaining_usd: usd.nullable().meta({ description: 'What can still be held; null without a cap.' }),
    resets_at: isoTimeSchema.nullable().meta({ description: 'When this window ends; null for none.' }),
    paused: z.boolean(),
    tags: z.record(z.string(), z.string()),
    prefix: z.string().meta({ description: 'The first characters of its key.', examples: ['tg_pass_ab12'] }),
    last_four: z.string().meta({ description: 'The last four characters of its key.', examples: ['x7Qd'] }),
    created_at: isoTimeSchema,
    expires_at: isoTimeSchema.nullable().meta({ description: 'From this time on it is refused; null for never.' }),
  })
  .meta({ id: 'Pass', description: 'A key that a consumer hands out, without the key itself.' });

/** A pass may be held by an agent or by the builder of a tool, so it hides what its owner spends. */
export const ownPassSchema = passSchema
  .omit({
    cap: true,
    per_call_max_usd: true,
    approve_above_usd: true,
    spent_usd: true,
    held_usd: true,
    remaining_usd: true,
  })
  .extend({
    low: z.boolean().meta({ description: 'Less than 10 % is left of its cap, or of that of a pass above it.' }),
  })
  .meta({ id: 'OwnPass', description: 'A pass as its holder sees it: without the figures of its owner.' });

export const checkPassSchema = closedObject({
  pass: payerSchema.meta({
    description:
      'What the caller of your server sent as its bearer token: the key of a pass, or an OAuth access token.',
    examples: ['tg_pass_0123456789ABCDEFabcdef0123456789ABCDEF'],
  }),
  resource: optional(resourceSchema).meta({
    description:
      'The URL of your server, as your tools name it. A token for another server is refused, and so is any without it.',
  }),
}).meta({
  id: 'PassCheck',
  examples: [{ pass: 'tg_pass_0123456789ABCDEFabcdef0123456789ABCDEF' }],
});

export const checkedPassSchema = ownPassSchema
  .extend({
    token: z
      .object({
        client_id: z.string().meta({ description: 'The client that has the token.' }),
        resource: z.string().meta({ description: 'The URL of the server for which it was made.' }),
        expires_at: isoTimeSchema,
      })
      .nullable()
      .meta({ description: 'What the token says; null for the key of a pass.' }),
  })
  .meta({ id: 'CheckedPass', description: 'A pass that is live and not paused, without the figures of its owner.' });

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
