import { z } from 'zod';
import { accountSchema } from '../accounts.ts';
import {
  deadLetterIdSchema,
  deadLetterListSchema,
  deadLetterQuerySchema,
  deadLetterWithRecordSchema,
} from '../dead-letters.ts';
import { idSchema } from '../id.ts';
import { accountListSchema, accountQuerySchema, periodStatusSchema } from '../operator.ts';
import { periodSchema } from '../period.ts';
import type { Route } from '../route.ts';

const operator = { access: 'operator', tag: 'Operator' } as const;
/** Replaying is appending, which is the gateway's right alone; so it has all of them. */
const deadLetters = { ...operator, service: 'ingest-gateway' } as const;
const oneDeadLetter = z.object({ dead_letter_id: deadLetterIdSchema });

export const operatorRoutes: readonly Route[] = [
  {
    ...deadLetters,
    operationId: 'listDeadLetters',
    method: 'GET',
    path: '/v1/operator/dead-letters',
    summary: 'Records that were not counted',
    query: deadLetterQuerySchema,
    responses: { 200: { description: 'A page of them.', schema: deadLetterListSchema } },
    errors: [],
  },
  {
    ...deadLetters,
    operationId: 'getDeadLetter',
    method: 'GET',
    path: '/v1/operator/dead-letters/{dead_letter_id}',
    summary: 'A record that was not counted, with its bytes',
    params: oneDeadLetter,
    responses: { 200: { description: 'It and the reason.', schema: deadLetterWithRecordSchema } },
    errors: [],
  },
  {
    ...deadLetters,
    operationId: 'replayDeadLetter',
    method: 'POST',
    path: '/v1/operator/dead-letters/{dead_letter_id}/replay',
    summary: 'Append the record to the log again',
    description:
      'On the operator’s responsibility: it is judged anew, as any record of the log. What is counted already is not counted twice, and a conflict stays a conflict.',
    params: oneDeadLetter,
    responses: { 200: { description: 'It lies in the log again.', schema: deadLetterWithRecordSchema } },
    errors: [],
  },
  {
    ...operator,
    service: 'billing',
    operationId: 'listAccounts',
    method: 'GET',
    path: '/v1/operator/accounts',
    summary: 'All accounts',
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
    summary: 'An account',
    description: 'By its id. By its e-mail the list finds it: a path stands in logs, an e-mail must not.',
    params: z.object({ account_id: idSchema }),
    responses: { 200: { description: 'The account.', schema: accountSchema } },
    errors: [],
  },
  {
    ...operator,
    service: 'billing',
    operationId: 'getPeriodStatus',
    method: 'GET',
    path: '/v1/operator/periods/{period}',
    summary: 'How far a period is counted, and whether it can close',
    params: z.object({ period: periodSchema }),
    responses: { 200: { description: 'Where it stands.', schema: periodStatusSchema } },
    errors: [],
  },
];
