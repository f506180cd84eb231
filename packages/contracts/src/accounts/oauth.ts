import { z } from 'zod';
import { closedObject } from '../forms/closed-object.ts';
import { slugSchema } from '../forms/slug.ts';
import { textSchema } from '../forms/text-schema.ts';
import { usdAmountSchema, usdMicrosSchema } from '../forms/usd-amount.ts';
import type { Route } from '../routes/route.ts';
import { jwksSchema } from './accounts.ts';

/** The one type of `authorization_details` (RFC 9396): what a client asks for. The person decides. */
export const spendDetailSchema = closedObject({
  type: z.literal('tollgate_spend'),
  tools: z.array(slugSchema).min(1).max(100).optional(),
  cap: closedObject({ amount_usd: usdAmountSchema, window: z.enum(['day', 'month', 'total']) }).optional(),
  per_call_max_usd: usdMicrosSchema.optional(),
  approve_above_usd: usdMicrosSchema.optional(),
});

export type SpendDetail = z.output<typeof spendDetailSchema>;

const typed = (max: number) => textSchema({ max }).default('');

/** The forms of the pages. Empty fields are wrong and not malformed: a browser sends them. `tool:<slug>` is a ticked tool. */
export const oauthPageAnswerSchema = z
  .object({
    form: typed(64).meta({ description: 'Stands in the page, and shows that the form is from there.' }),
    answer: z.enum(['sign_in', 'show_sign_up', 'show_sign_in', 'sign_up', 'code', 'sign_out', 'allow', 'refuse']),
    email: typed(254),
    password: typed(128),
    code: typed(64),
    cap_usd: typed(20),
    window: typed(8),
    per_call_max_usd: typed(20),
    approve_above_usd: typed(20),
    ends_on: typed(10),
  })
  .catchall(z.string())
  .meta({ id: 'OAuthPageAnswer' });

export type OAuthPageAnswer = z.output<typeof oauthPageAnswerSchema>;

const forEverybody = { service: 'auth', tag: 'OAuth', access: 'public', isInternal: true } as const;
const page = { schema: z.string(), mediaTypes: ['text/html'] };
const json = { schema: z.looseObject({}) };
const redirect = { description: 'On to the next page, or back to the client.' };
const uid = z.object({ uid: z.string() });

/**
 * The authorization server. Its clients learn the addresses from its metadata, and not from OpenAPI, and what they send is as
 * the RFCs say: the library reads it.
 */
export const oauthRoutes: readonly Route[] = [
  {
    ...forEverybody,
    operationId: 'getOAuthMetadata',
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
    summary: 'Get the metadata of the authorization server (RFC 8414)',
    responses: { 200: { description: 'Its addresses, and what it supports.', ...json } },
    errors: ['not_found'],
  },
  {
    ...forEverybody,
    operationId: 'getOpenIdMetadata',
    method: 'GET',
    path: '/.well-known/openid-configuration',
    summary: 'Get the same metadata where clients of OpenID look for it',
    responses: { 200: { description: 'Its addresses, and what it supports.', ...json } },
    errors: ['not_found'],
  },
  {
    ...forEverybody,
    operationId: 'getOAuthKeys',
    method: 'GET',
    path: '/oauth/jwks',
    summary: 'List the public keys that sign access tokens of OAuth',
    responses: { 200: { description: 'The public keys.', schema: jwksSchema } },
    errors: ['unavailable'],
  },
  {
    ...forEverybody,
    operationId: 'registerOAuthClient',
    method: 'POST',
    idempotencyKey: 'ignored',
    path: '/oauth/register',
    summary: 'Register a client (RFC 7591)',
    responses: { 201: { description: 'The client.', ...json } },
    errors: ['not_found'],
  },
  {
    ...forEverybody,
    operationId: 'authorizeOAuthClient',
    method: 'GET',
    path: '/oauth/authorize',
    summary: 'Authorize a client: ask a person for consent',
    responses: { 303: redirect, 400: { description: 'A page that says what is wrong with the request.', ...page } },
    errors: ['not_found'],
  },
  {
    ...forEverybody,
    operationId: 'resumeOAuthAuthorization',
    method: 'GET',
    path: '/oauth/authorize/{uid}',
    params: uid,
    summary: 'Resume an authorization after the consent',
    responses: { 303: redirect, 400: { description: 'A page that says what is wrong with the request.', ...page } },
    errors: ['not_found'],
  },
  {
    ...forEverybody,
    operationId: 'getOAuthPage',
    method: 'GET',
    path: '/oauth/interaction/{uid}',
    params: uid,
    summary: 'Show the page of a sign-in or of a consent',
    responses: {
      200: { description: 'The page.', ...page },
      404: { description: 'A page that says that the request has expired.', ...page },
    },
    errors: ['not_found'],
  },
  {
    ...forEverybody,
    operationId: 'answerOAuthPage',
    method: 'POST',
    idempotencyKey: 'ignored',
    path: '/oauth/interaction/{uid}',
    params: uid,
    summary: 'Submit the page of a sign-in or of a consent',
    body: oauthPageAnswerSchema,
    bodyType: 'application/x-www-form-urlencoded',
    responses: {
      200: { description: 'The next page.', ...page },
      303: redirect,
      400: { description: 'The page again, with what is wrong in the form.', ...page },
      403: { description: 'The page again, with the reason why the sign-in failed.', ...page },
      404: { description: 'A page that says that the request has expired.', ...page },
    },
    errors: ['not_found', 'unavailable'],
  },
  {
    ...forEverybody,
    operationId: 'getOAuthToken',
    method: 'POST',
    idempotencyKey: 'ignored',
    path: '/oauth/token',
    summary: 'Get an access token for a code or a refresh token',
    responses: { 200: { description: 'The tokens.', ...json } },
    errors: ['not_found'],
  },
  {
    ...forEverybody,
    operationId: 'revokeOAuthToken',
    method: 'POST',
    idempotencyKey: 'ignored',
    path: '/oauth/revoke',
    summary: 'Revoke a token, and its pass (RFC 7009)',
    responses: { 200: { description: 'The token does not count any more.' } },
    errors: ['not_found'],
  },
  {
    ...forEverybody,
    operationId: 'introspectOAuthToken',
    method: 'POST',
    idempotencyKey: 'ignored',
    path: '/oauth/introspect',
    summary: 'Check whether a token of the client still counts (RFC 7662)',
    responses: { 200: { description: 'What is known about the token.', ...json } },
    errors: ['not_found'],
  },
];
