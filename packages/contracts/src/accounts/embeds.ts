import { z } from 'zod';
import { closedObject } from '../forms/closed-object.ts';
import { canonicalOrigin } from '../forms/origin.ts';
import { isoTimeSchema } from '../forms/timestamp.ts';
import { optional } from '../forms/optional.ts';
import type { Route } from '../routes/route.ts';
import { embedPages } from '../routes/embed-pages.ts';

export const embedSecondsMax = 3_600;
const originsMax = 20;

const pageSchema = z.enum(embedPages).meta({
  description:
    '`usage`: what the account spends. `earnings`: what its tools earn. `invoices`: its invoices and the draft of this month.',
});
const themes = ['auto', 'light', 'dark'] as const;

export const newEmbedSchema = closedObject({
  page: pageSchema,
  ttl_seconds: optional(z.int().min(60).max(embedSecondsMax)).meta({
    description: `How long the page shows something. Default: ${embedSecondsMax}.`,
    examples: [900],
  }),
  theme: optional(z.enum(themes)).meta({ description: 'Default: `auto`, which is what the reader’s system says.' }),
}).meta({ id: 'NewEmbed', examples: [{ page: 'usage', ttl_seconds: 900, theme: 'light' }] });

export const embedSchema = z
  .object({
    page: pageSchema,
    url: z.url().meta({
      description:
        'The `src` of an `<iframe>`. What follows `#` is the token: whoever has it reads this page until it ends, so it belongs to the reader alone.',
      examples: [
        'https://tollgate.example/app/embed/01989f2e-7c1a-7b3a-9f00-4be1d9a2c0de#token=tg_embed_0123456789ABCDEFabcdef0123456789ABCDEF&page=usage&theme=light',
      ],
    }),
    expires_at: isoTimeSchema.meta({ description: 'By the clock of the machine, which no operator moves.' }),
  })
  .meta({ id: 'Embed', description: 'One page of the console, to be shown inside a product of yours.' });

const originSchema = z
  .string()
  .refine((text) => canonicalOrigin(text) !== undefined, {
    error: 'must be an origin such as https://app.example.com, without a path or a wildcard',
    params: { code: 'invalid_origin' },
  })
  .transform((text) => canonicalOrigin(text) ?? text)
  .meta({
    description: 'https, or http on the machine itself.',
    maxLength: 200,
    examples: ['https://app.example.com'],
  });

export const embedOriginsSchema = closedObject({
  origins: z
    .array(originSchema)
    .max(originsMax)
    .meta({ description: 'Empty: no page of another origin may frame any.' }),
}).meta({ id: 'EmbedOrigins', examples: [{ origins: ['https://app.example.com'] }] });

export type NewEmbed = z.output<typeof newEmbedSchema>;
export type ApiEmbed = z.infer<typeof embedSchema>;
export type EmbedOrigins = z.output<typeof embedOriginsSchema>;

const embeds = { service: 'auth', tag: 'Embeds', access: 'account' } as const;
const origins = { description: 'The origins whose pages may frame embeds of the account.', schema: embedOriginsSchema };

export const embedRoutes: readonly Route[] = [
  {
    ...embeds,
    operationId: 'createEmbed',
    keyScope: 'read', // such a key has more than an embed
    method: 'POST',
    path: '/v1/embeds',
    summary: 'Create the address of a page to be framed',
    description:
      'Its token reads what that one page shows of your account, and opens nothing else. It ends after `ttl_seconds`, and with the session or the API key that made it. No answer contains it again.',
    body: newEmbedSchema,
    idempotencyKey: { refused: 'a repeat makes another address, and both end by themselves' },
    responses: { 201: { description: 'The address.', schema: embedSchema } },
    errors: ['too_many_embeds'],
  },
  {
    ...embeds,
    operationId: 'getEmbedOrigins',
    method: 'GET',
    path: '/v1/embeds/origins',
    summary: 'Get who may frame your embeds',
    responses: { 200: origins },
    errors: [],
  },
  {
    ...embeds,
    operationId: 'putEmbedOrigins',
    method: 'PUT',
    path: '/v1/embeds/origins',
    summary: 'Set who may frame your embeds',
    description: 'It counts from the next time that a browser loads an embed.',
    body: embedOriginsSchema,
    responses: { 200: origins },
    errors: [],
  },
];
