import { z } from 'zod';
import { idSchema } from '../forms/id.ts';
import { listSchema, pageQuerySchema } from '../forms/lists.ts';
import { isoTimeSchema } from '../forms/timestamp.ts';
import type { Route } from '../routes/route.ts';

const usd = z.number().meta({ description: 'US dollars, up to six decimals.' });

const consentSchema = z
  .object({
    id: idSchema,
    client_id: z.string().meta({
      description: 'The id of the client: the address of its metadata document, or one that it was given.',
      examples: ['https://agent.example.com/client.json'],
    }),
    client_name: z.string().meta({ description: 'The name that the client gives itself. Nobody has verified it.' }),
    client_host: z
      .string()
      .nullable()
      .meta({
        description: 'The host that serves its metadata document; null for a client that registered itself.',
        examples: ['agent.example.com'],
      }),
    resource: z.string().meta({ description: 'The MCP server at which the client may spend.' }),
    pass_id: idSchema.meta({ description: 'The pass that the consent is: it says what was spent.' }),
    tools: z.array(z.string()).meta({ description: 'The slugs of the tools that the client may call.' }),
    cap: z
      .object({ amount_usd: usd, window: z.enum(['day', 'month', 'total']) })
      .nullable()
      .meta({ description: 'The most that its calls may come to in a window; null where you took the cap away.' }),
    per_call_max_usd: usd.nullable().meta({ description: 'The most that one call may come to; null without a bound.' }),
    approve_above_usd: usd.nullable().meta({ description: 'A call that can come to more needs your approval.' }),
    paused: z.boolean().meta({ description: 'Its pass is paused: calls are refused until you resume it.' }),
    created_at: isoTimeSchema.meta({ description: 'When you first consented.' }),
    consented_at: isoTimeSchema.meta({ description: 'When you consented last.' }),
    last_token_at: isoTimeSchema.nullable().meta({
      description:
        'When the client last got a token, which lasts for an hour; null for none. By the clock of the machine.',
    }),
    expires_at: isoTimeSchema.nullable().meta({ description: 'From this time on it is refused; null for never.' }),
  })
  .meta({ id: 'Consent', description: 'A client of OAuth that you let spend.' });

const consentListSchema = listSchema({ id: 'ConsentList', name: 'consents', item: consentSchema });

export type ApiConsent = z.infer<typeof consentSchema>;

const consents = { service: 'auth', tag: 'OAuth', access: 'account' } as const;

export const consentRoutes: readonly Route[] = [
  {
    ...consents,
    operationId: 'listConsents',
    method: 'GET',
    path: '/v1/auth/consents',
    summary: 'List the clients that you let spend',
    description: 'Lists live consents, newest first. One whose pass was revoked or has expired has ended.',
    query: pageQuerySchema,
    responses: { 200: { description: 'A page of consents.', schema: consentListSchema } },
    errors: [],
  },
  {
    ...consents,
    operationId: 'revokeConsent',
    method: 'DELETE',
    path: '/v1/auth/consents/{id}',
    summary: 'End a consent',
    description:
      'Its pass is revoked and its tokens are refused, everywhere within a second. Calls that were authorized are still paid. To spend again, the client has to ask you again.',
    params: z.object({ id: idSchema }),
    responses: { 204: { description: 'The consent has ended, and so has its pass.' } },
    errors: ['not_found'],
  },
];
