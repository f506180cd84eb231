import { closedObject } from '../forms/closed-object.ts';
import { accountSchema, loginSchema } from './accounts.ts';
import { optional } from '../forms/optional.ts';
import { secondFactorFields } from './second-factor-fields.ts';
import type { Route } from '../routes/route.ts';

export const browserSignInSchema = closedObject(loginSchema.shape).meta({
  id: 'BrowserSignIn',
  examples: [{ email: 'ada@example.com', password: 'correct horse battery staple' }],
});

export const proveSecondFactorSchema = closedObject({
  totp_code: optional(secondFactorFields.totp_code),
  recovery_code: optional(secondFactorFields.recovery_code),
}).meta({ id: 'SecondFactorCode', examples: [{ totp_code: '123456' }] });

const forPages = { service: 'auth', tag: 'Accounts', path: '/v1/auth/session', isInternal: true } as const;

/** A client of the API needs none of this: it holds an access token or a key, and a cookie would only make it forgeable. */
export const browserSessionRoutes: readonly Route[] = [
  {
    ...forPages,
    operationId: 'beginBrowserSession',
    method: 'POST',
    idempotencyKey: { refused: 'each sign-in is a session of its own' },
    access: 'public',
    summary: 'Sign a browser in',
    description:
      'Only pages of the service itself sign in so. The answer sets a cookie, `__Host-tollgate`, or `tollgate` over plain http on the machine itself. It stands for an access token, until 30 days after its last use and 90 days after the sign-in. The session that the browser had before ends.',
    body: browserSignInSchema,
    responses: { 201: { description: 'The browser is signed in to this account.', schema: accountSchema } },
    errors: [
      'invalid_credentials',
      'second_factor_required',
      'invalid_second_factor',
      'account_suspended',
      'forbidden',
      'unavailable',
    ],
  },
  {
    ...forPages,
    path: '/v1/auth/session/second-factor',
    operationId: 'proveSecondFactor',
    method: 'POST',
    idempotencyKey: { refused: 'a code of the second factor works once' },
    access: 'session',
    summary: 'Confirm the session by a code',
    description:
      'An account of the operator opens the operator’s routes once its browser has shown a code. Refunds, voids and the like need one from the last 15 minutes.',
    body: proveSecondFactorSchema,
    responses: { 204: { description: 'The session has shown a code now.' } },
    errors: ['second_factor_required', 'invalid_second_factor', 'not_found'],
  },
  {
    ...forPages,
    operationId: 'endBrowserSession',
    method: 'DELETE',
    access: 'session',
    summary: 'Sign the browser out',
    responses: { 204: { description: 'The session has ended, and the cookie is gone.' } },
    errors: [],
  },
];
