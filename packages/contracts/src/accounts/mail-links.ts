import { z } from 'zod';
import { closedObject } from '../forms/closed-object.ts';
import { textSchema } from '../forms/text-schema.ts';
import type { Route } from '../routes/route.ts';
import { emailSchema } from './accounts.ts';

export const passwordResetSchema = closedObject({ email: emailSchema }).meta({
  id: 'PasswordReset',
  examples: [{ email: 'ada@example.com' }],
});

const tokenSchema = textSchema({ max: 128 });

export const mailLinkQuerySchema = z.object({
  token: tokenSchema.default('').meta({ description: 'From the link of a mail.' }),
});

/** The form of the page. Empty fields are wrong and not malformed: a browser sends them. */
export const passwordResetFormSchema = z
  .object({
    answer: z.enum(['ask', 'set']),
    token: tokenSchema.default(''),
    email: textSchema({ max: 254 }).default(''),
    password: textSchema({ max: 128 }).default(''),
    code: textSchema({ max: 64 })
      .default('')
      .meta({ description: 'A code of the authenticator app, or a recovery code.' }),
  })
  .meta({ id: 'PasswordResetForm' });

export const emailConfirmationFormSchema = z.object({ token: tokenSchema }).meta({ id: 'EmailConfirmationForm' });

export type PasswordResetForm = z.output<typeof passwordResetFormSchema>;

const accounts = { service: 'auth', tag: 'Accounts' } as const;
const pages = { ...accounts, access: 'public', isInternal: true } as const;
const page = { schema: z.string(), mediaTypes: ['text/html'] };
const bodyType = 'application/x-www-form-urlencoded';
const gone = { description: 'A page that says that the link is unknown, used or expired.', ...page };

/** Links that come by mail. Without mail they are 404, and the answer says so. */
export const mailLinkRoutes: readonly Route[] = [
  {
    ...accounts,
    operationId: 'requestPasswordReset',
    method: 'POST',
    idempotencyKey: { refused: 'a repeat is another mail' },
    path: '/v1/auth/password-reset',
    access: 'public',
    summary: 'Create a link for a new password',
    description:
      'It is mailed to the address. The answer is the same for an address without an account. The link is good once, for an hour. Without mail it is 404: then the operator sets a new password.',
    body: passwordResetSchema,
    responses: { 204: { description: 'If there is such an account, a mail is on its way.' } },
    errors: ['not_found'],
  },
  {
    ...accounts,
    operationId: 'requestEmailConfirmation',
    method: 'POST',
    idempotencyKey: { refused: 'a repeat is another mail' },
    path: '/v1/auth/email-confirmation',
    access: 'session',
    summary: 'Create a link that confirms the address',
    description:
      'A new account is mailed one by itself. Nothing is refused to an account whose address is not confirmed. To follow the link also lifts a bounce.',
    responses: { 204: { description: 'A mail is on its way, unless the address is confirmed and takes mail.' } },
    errors: ['not_found'],
  },
  {
    ...pages,
    operationId: 'getPasswordResetPage',
    method: 'GET',
    path: '/password-reset',
    summary: 'Show the page behind the link for a new password',
    query: mailLinkQuerySchema,
    responses: { 200: { description: 'The page; without a token, it asks for the address.', ...page }, 404: gone },
    errors: [],
  },
  {
    ...pages,
    operationId: 'answerPasswordResetPage',
    method: 'POST',
    idempotencyKey: 'ignored',
    path: '/password-reset',
    summary: 'Submit the page behind the link for a new password',
    body: passwordResetFormSchema,
    bodyType,
    responses: {
      200: { description: 'A page that says that the mail is sent, or the password set.', ...page },
      403: { description: 'The page again, with the reason why the password is not set.', ...page },
      404: gone,
    },
    errors: ['unavailable'],
  },
  {
    ...pages,
    operationId: 'getEmailConfirmationPage',
    method: 'GET',
    path: '/email-confirmation',
    summary: 'Show the page behind the link that confirms an address',
    query: mailLinkQuerySchema,
    responses: { 200: { description: 'The page, which asks once more.', ...page }, 404: gone },
    errors: [],
  },
  {
    ...pages,
    operationId: 'answerEmailConfirmationPage',
    method: 'POST',
    idempotencyKey: 'ignored',
    path: '/email-confirmation',
    summary: 'Submit the page behind the link that confirms an address',
    body: emailConfirmationFormSchema,
    bodyType,
    responses: { 200: { description: 'A page that says that the address is confirmed.', ...page }, 404: gone },
    errors: [],
  },
];
