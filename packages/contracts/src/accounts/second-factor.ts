import { z } from 'zod';
import { knownPasswordSchema } from './accounts.ts';
import { closedObject } from '../forms/closed-object.ts';
import { optional } from '../forms/optional.ts';
import { secondFactorFields, totpCodeSchema } from './second-factor-fields.ts';
import { isoTimeSchema } from '../forms/timestamp.ts';
import type { Route } from '../routes/route.ts';

const password = 'correct horse battery staple';

export const beginTotpSchema = closedObject({ password: knownPasswordSchema }).meta({
  id: 'NewTotp',
  examples: [{ password }],
});

const begunTotpSchema = z
  .object({
    secret: z.string().meta({ description: 'The shared secret in Base32, to type in. No later answer contains it.' }),
    otpauth_uri: z.string().meta({ description: 'The same for a QR code: SHA-1, 6 digits, 30 seconds.' }),
  })
  .meta({ id: 'BegunTotp' });

export const confirmTotpSchema = closedObject({ code: totpCodeSchema }).meta({
  id: 'TotpConfirmation',
  examples: [{ code: '123456' }],
});

/** The password with a code, for what weakens or renews the second factor. */
export const secondFactorProofSchema = closedObject({
  password: knownPasswordSchema,
  totp_code: optional(secondFactorFields.totp_code),
  recovery_code: optional(secondFactorFields.recovery_code),
}).meta({ id: 'SecondFactorProof', examples: [{ password, totp_code: '123456' }] });

export const createOperatorCodeSchema = closedObject({ code: totpCodeSchema }).meta({
  id: 'NewOperatorCode',
  examples: [{ code: '123456' }],
});

const operatorCodeSchema = z
  .object({
    operator_code: z.string().meta({ description: 'Send it as `Tollgate-Operator-Code`, with the same token.' }),
    expires_in: z.int().meta({ description: 'Seconds until it expires.', examples: [600] }),
  })
  .meta({ id: 'OperatorCode' });

const recoveryCodesSchema = z
  .object({
    recovery_codes: z.array(z.string()).meta({
      description: 'Ten codes; each replaces one `totp_code`, once. No later answer contains them.',
      examples: [['7Q4ZKX-AB2MNP-WY6RTC-3HJD5E']],
    }),
  })
  .meta({ id: 'RecoveryCodes' });

export const totpStateSchema = z
  .object({
    enabled: z.boolean().meta({ description: 'Whether a sign-in needs a second factor.' }),
    confirmed_at: isoTimeSchema.nullable().meta({ description: 'When it was turned on; null if it is off.' }),
    recovery_codes_left: z.int().min(0).meta({ description: 'How many recovery codes are unused.' }),
  })
  .meta({ id: 'TotpState' });

export type BeginTotpRequest = z.infer<typeof beginTotpSchema>;
export type SecondFactorProof = z.infer<typeof secondFactorProofSchema>;
export type TotpState = z.infer<typeof totpStateSchema>;

const ofSessions = { service: 'auth', tag: 'Accounts', access: 'session' } as const;
const proofErrors = ['invalid_credentials', 'second_factor_required', 'invalid_second_factor'] as const;

export const secondFactorRoutes: readonly Route[] = [
  {
    service: 'auth',
    tag: 'Operator',
    access: 'operator',
    operationId: 'createOperatorCode',
    method: 'POST',
    idempotencyKey: { refused: 'each code is new' },
    path: '/v1/operator/code',
    givesOperatorCode: true,
    summary: 'Create a code that confirms operator changes',
    description:
      'Takes a code of the authenticator app that `tollgate operator operator-totp` set up; 404 while there is none. While there is one, every change as operator needs the header `Tollgate-Operator-Code`.',
    body: createOperatorCodeSchema,
    responses: { 201: { description: 'A code for this token, for ten minutes.', schema: operatorCodeSchema } },
    errors: ['invalid_second_factor', 'not_found'],
  },
  {
    ...ofSessions,
    operationId: 'getTotp',
    method: 'GET',
    path: '/v1/auth/totp',
    summary: 'Get the state of the second factor',
    responses: { 200: { description: 'The state.', schema: totpStateSchema } },
    errors: [],
  },
  {
    ...ofSessions,
    operationId: 'beginTotp',
    method: 'POST',
    idempotencyKey: { refused: 'a repeat replaces a secret that is not confirmed' },
    path: '/v1/auth/totp',
    summary: 'Create a secret for an authenticator app',
    description: 'Nothing changes at sign-in until a code confirms the secret. A repeat replaces the secret.',
    body: beginTotpSchema,
    responses: { 201: { description: 'The secret for the app.', schema: begunTotpSchema } },
    errors: ['invalid_credentials', 'totp_enabled'],
  },
  {
    ...ofSessions,
    operationId: 'confirmTotp',
    method: 'POST',
    idempotencyKey: { refused: 'a code of the second factor works once' },
    path: '/v1/auth/totp/confirm',
    summary: 'Confirm the authenticator app',
    description: 'From now on a sign-in needs `totp_code` or `recovery_code`. All other sessions end. API keys stay.',
    body: confirmTotpSchema,
    responses: { 200: { description: 'The second factor is on. These are its codes.', schema: recoveryCodesSchema } },
    errors: ['invalid_second_factor', 'not_found', 'totp_enabled'],
  },
  {
    ...ofSessions,
    operationId: 'replaceRecoveryCodes',
    method: 'POST',
    idempotencyKey: { refused: 'a repeat replaces the codes again' },
    path: '/v1/auth/recovery-codes',
    summary: 'Replace the recovery codes',
    body: secondFactorProofSchema,
    responses: { 200: { description: 'The new codes; earlier ones are void.', schema: recoveryCodesSchema } },
    errors: [...proofErrors, 'not_found'],
  },
  {
    ...ofSessions,
    operationId: 'removeTotp',
    method: 'POST',
    idempotencyKey: { refused: 'a repeat is 404' },
    path: '/v1/auth/totp/remove',
    summary: 'Remove the second factor',
    description: 'Needs the password, and a code where the factor is confirmed. All other sessions end.',
    body: secondFactorProofSchema,
    responses: { 204: { description: 'A sign-in needs the password alone.' } },
    errors: [...proofErrors, 'not_found'],
  },
];
