import type { Route } from '../route.ts';
import {
  beginTotpSchema,
  createOperatorCodeSchema,
  operatorCodeSchema,
  begunTotpSchema,
  confirmTotpSchema,
  recoveryCodesSchema,
  secondFactorProofSchema,
  totpStateSchema,
} from '../second-factor.ts';

const ofSessions = { service: 'auth', tag: 'Accounts', access: 'session' } as const;
const proofErrors = ['invalid_credentials', 'second_factor_required', 'invalid_second_factor'] as const;

export const secondFactorRoutes: readonly Route[] = [
  {
    service: 'auth',
    tag: 'Operator',
    access: 'operator',
    operationId: 'createOperatorCode',
    method: 'POST',
    path: '/v1/operator/code',
    givesOperatorCode: true,
    summary: 'Create a code for changes as operator',
    description:
      'Takes a code of the authenticator app that `tollgate operator-totp` set up; 404 while there is none. While there is one, every change as operator needs the header `Tollgate-Operator-Code`.',
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
    path: '/v1/auth/totp/remove',
    summary: 'Remove the second factor',
    description: 'Needs the password, and a code where the factor is confirmed. All other sessions end.',
    body: secondFactorProofSchema,
    responses: { 204: { description: 'A sign-in needs the password alone.' } },
    errors: [...proofErrors, 'not_found'],
  },
];
