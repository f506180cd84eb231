import type { Route } from '../routes/route.ts';
import { jwksSchema } from './accounts.ts';

const forEverybody = { service: 'auth', tag: 'OAuth', access: 'public', isInternal: true } as const;

/** The authorization server. Its clients learn the addresses from its metadata, and not from OpenAPI. */
export const oauthRoutes: readonly Route[] = [
  {
    ...forEverybody,
    operationId: 'getOAuthKeys',
    method: 'GET',
    path: '/oauth/jwks',
    summary: 'List the public keys that sign access tokens of OAuth',
    responses: { 200: { description: 'The public keys.', schema: jwksSchema } },
    errors: ['unavailable'],
  },
];
