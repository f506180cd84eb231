import { z } from 'zod';
import {
  deadLetterIdSchema,
  deadLetterListSchema,
  deadLetterQuerySchema,
  deadLetterWithRecordSchema,
} from './dead-letters.ts';
import { idSchema } from '../forms/id.ts';
import { pageQuerySchema } from '../forms/lists.ts';
import {
  accountListSchema,
  accountQuerySchema,
  operatorAccountSchema,
  periodStatusSchema,
  unclosedConsumerListSchema,
  usageAlertListSchema,
  endedCredentialsSchema,
  suspendAccountSchema,
} from './operator.ts';
import { periodSchema } from '../forms/period.ts';
import type { Route } from '../routes/route.ts';

const operator = { access: 'operator', tag: 'Operator' } as const;
/** The gateway has all routes of dead letters: a replay appends to the log, which only the gateway may do. */
const deadLetters = { ...operator, service: 'ingest-gateway' } as const;
const oneDeadLetter = z.object({ dead_letter_id: deadLetterIdSchema });

export const operatorRoutes: readonly Route[] = [
  {
    ...deadLetters,
    operationId: 'listDeadLetters',
    method: 'GET',
    path: '/v1/operator/dead-letters',
    summary: 'List dead letters',
    query: deadLetterQuerySchema,
    responses: { 200: { description: 'A page of dead letters.', schema: deadLetterListSchema } },
    errors: [],
  },
  {
    ...deadLetters,
    operationId: 'getDeadLetter',
    method: 'GET',
    path: '/v1/operator/dead-letters/{dead_letter_id}',
    summary: 'Get a dead letter with its bytes',
    params: oneDeadLetter,
    responses: { 200: { description: 'The dead letter with its reason.', schema: deadLetterWithRecordSchema } },
    errors: [],
  },
  {
    ...deadLetters,
    operationId: 'replayDeadLetter',
    method: 'POST',
    idempotencyKey: { refused: 'an event counts once, however often its record is replayed' },
    path: '/v1/operator/dead-letters/{dead_letter_id}/replay',
    summary: 'Replay a dead letter',
    description:
      'Appends the record to the log again, where it is treated as any other record. An event that is counted already is not counted twice, and a conflict stays a conflict.',
    params: oneDeadLetter,
    responses: { 200: { description: 'The record is in the log again.', schema: deadLetterWithRecordSchema } },
    errors: [],
  },
  {
    ...operator,
    service: 'billing',
    operationId: 'listAccounts',
    method: 'GET',
    path: '/v1/operator/accounts',
    summary: 'List accounts',
    query: accountQuerySchema,
    responses: { 200: { description: 'A page of accounts.', schema: accountListSchema } },
    errors: [],
  },
  {
    ...operator,
    service: 'billing',
    operationId: 'findAccount',
    method: 'GET',
    path: '/v1/operator/accounts/{account_id}',
    summary: 'Get an account',
    description:
      'Finds the account by its id. To find it by e-mail, use the list: paths are logged, and e-mails must not be.',
    params: z.object({ account_id: idSchema }),
    responses: { 200: { description: 'The account.', schema: operatorAccountSchema } },
    errors: [],
  },
  {
    ...operator,
    service: 'billing',
    operationId: 'getPeriodStatus',
    method: 'GET',
    path: '/v1/operator/periods/{period}',
    summary: 'Get the counting progress of a period',
    params: z.object({ period: periodSchema }),
    responses: { 200: { description: 'The progress of the period.', schema: periodStatusSchema } },
    errors: [],
  },
  {
    ...operator,
    service: 'billing',
    operationId: 'listUsageAlerts',
    method: 'GET',
    path: '/v1/operator/usage-alerts',
    summary: 'List alerts of fast-growing usage',
    description:
      'A consumer who calls a tool far more within 24 hours than before raises an alert, once a day. `ALERT_USAGE_FACTOR` says how much more. An alert stops nobody.',
    query: pageQuerySchema,
    responses: { 200: { description: 'A page of alerts.', schema: usageAlertListSchema } },
    errors: [],
  },
  {
    ...operator,
    service: 'billing',
    operationId: 'listUnclosedConsumers',
    method: 'GET',
    path: '/v1/operator/unclosed-consumers',
    summary: 'List consumers whose invoice failed',
    description:
      'A period closes without the consumers whose invoice fails. Tollgate tries them again automatically, at growing intervals.',
    query: pageQuerySchema,
    responses: { 200: { description: 'A page of consumers.', schema: unclosedConsumerListSchema } },
    errors: [],
  },
];

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
