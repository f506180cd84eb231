import type { Route } from '../route.ts';
import { disputeOrderSchema, disputeSchema } from '../sandbox-disputes.ts';
import { failureScriptSchema, scriptedFailureSchema, scriptedFailuresSchema } from '../sandbox-failures.ts';

const trouble = { service: 'billing', access: 'operator', tag: 'Sandbox', processor: 'sandbox' } as const;
const failures = { ...trouble, path: '/v1/sandbox/failures' } as const;

/** What may go wrong with money, to be tried out. The operator's alone, as it is everybody's money that it is done to. */
export const sandboxTroubleRoutes: readonly Route[] = [
  {
    ...failures,
    operationId: 'scriptFailure',
    method: 'POST',
    summary: 'Let the next collections or payouts go wrong',
    description:
      'Of the next orders to the sandbox processor each meets the oldest failure that is meant for it. A repeated order, which the processor answers from memory, meets none. Only with the sandbox processor.',
    body: failureScriptSchema,
    responses: { 201: { description: 'Scripted.', schema: scriptedFailureSchema } },
    errors: [],
  },
  {
    ...failures,
    operationId: 'listFailures',
    method: 'GET',
    summary: 'What is still to go wrong',
    responses: { 200: { description: 'All of it.', schema: scriptedFailuresSchema } },
    errors: [],
  },
  {
    ...failures,
    operationId: 'clearFailures',
    method: 'DELETE',
    summary: 'Let nothing more go wrong',
    description: 'What came of failures so far stays; a transfer that is to come back comes back.',
    responses: { 204: { description: 'Nothing is scripted any more.' } },
    errors: [],
  },
  {
    ...trouble,
    path: '/v1/sandbox/disputes',
    operationId: 'openDispute',
    method: 'POST',
    summary: 'Let a consumer’s bank dispute what it paid',
    description:
      'Opens a dispute of the charge that paid the invoice, and decides it at once. The service learns of it by webhook, within seconds. Only with the sandbox processor.',
    body: disputeOrderSchema,
    responses: { 201: { description: 'Opened and decided.', schema: disputeSchema } },
    errors: ['not_found', 'invoice_not_paid', 'refund_too_large'],
  },
];
