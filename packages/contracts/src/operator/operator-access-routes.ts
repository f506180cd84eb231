import { z } from 'zod';
import { idSchema } from '../forms/id.ts';
import { endedCredentialsSchema, operatorAccountSchema, suspendAccountSchema } from './operator.ts';
import type { Route } from '../routes/route.ts';

/** Auth has these routes: it owns accounts, sessions and API keys. */
const ofAccount = {
  service: 'auth',
  access: 'operator',
  tag: 'Operator',
  params: z.object({ account_id: idSchema }),
  errors: [],
} as const;

export const operatorAccessRoutes: readonly Route[] = [
  {
    ...ofAccount,
    operationId: 'suspendAccount',
    method: 'POST',
    idempotencyKey: { refused: 'a repeat changes nothing' },
    path: '/v1/operator/accounts/{account_id}/suspend',
    summary: 'Suspend an account',
    description:
      'All services refuse its tokens and API keys within a second, with 403 `account_suspended`. Its invoices are not charged and its payouts are not transferred. Earlier usage is invoiced. A repeat stores the new reason.',
    body: suspendAccountSchema,
    responses: { 200: { description: 'The account is suspended.', schema: operatorAccountSchema } },
  },
  {
    ...ofAccount,
    operationId: 'resumeAccount',
    method: 'POST',
    idempotencyKey: { refused: 'a repeat changes nothing' },
    path: '/v1/operator/accounts/{account_id}/resume',
    summary: 'Resume a suspended account',
    description: 'Its tokens and API keys work again. Held charges and transfers go on by themselves.',
    responses: { 200: { description: 'The account is not suspended.', schema: operatorAccountSchema } },
  },
  {
    ...ofAccount,
    operationId: 'endSessionsOfAccount',
    method: 'DELETE',
    path: '/v1/operator/accounts/{account_id}/sessions',
    summary: 'End all sessions of an account',
    responses: { 200: { description: 'No session of the account is alive.', schema: endedCredentialsSchema } },
  },
  {
    ...ofAccount,
    operationId: 'revokeApiKeysOfAccount',
    method: 'DELETE',
    path: '/v1/operator/accounts/{account_id}/api-keys',
    summary: 'Revoke all API keys of an account',
    responses: { 200: { description: 'No API key of the account is alive.', schema: endedCredentialsSchema } },
  },
];
