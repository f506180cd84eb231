import { z } from 'zod';
import type { Route } from '../routes/route.ts';
import { disputeDecisionSchema, disputeIdSchema, disputeOrderSchema, disputeSchema } from './sandbox-disputes.ts';
import { ownPayoutOrderSchema, ownPayoutSchema } from './sandbox-own-payouts.ts';
import { failureScriptSchema, scriptedFailureSchema, scriptedFailuresSchema } from './sandbox-failures.ts';

const trouble = { service: 'billing', access: 'operator', tag: 'Sandbox', processor: 'sandbox' } as const;
const failures = { ...trouble, path: '/v1/sandbox/failures' } as const;

/**
 * Scripted failures, disputes and payouts of the platform, to try out what may happen to money. Only for the operator: they
 * affect the money of any account.
 */
export const sandboxTroubleRoutes: readonly Route[] = [
  {
    ...failures,
    operationId: 'scriptFailure',
    method: 'POST',
    idempotencyKey: { refused: 'each request scripts another failure; `listFailures` shows those that wait' },
    summary: 'Script failures of the next collections or payouts',
    description:
      'Each of the next orders to the sandbox processor takes the oldest failure that matches it. A repeated order gets its earlier answer and takes no failure. Only with the sandbox processor.',
    body: failureScriptSchema,
    responses: { 201: { description: 'The failure is scripted.', schema: scriptedFailureSchema } },
    errors: [],
  },
  {
    ...failures,
    operationId: 'listFailures',
    method: 'GET',
    summary: 'List scripted failures',
    responses: { 200: { description: 'All failures that no order has taken yet.', schema: scriptedFailuresSchema } },
    errors: [],
  },
  {
    ...failures,
    operationId: 'clearFailures',
    method: 'DELETE',
    summary: 'Clear scripted failures',
    description:
      'Failures that already happened keep their effects: a transfer that is to be reversed later is still reversed.',
    responses: { 204: { description: 'No failure is scripted.' } },
    errors: [],
  },
  {
    ...trouble,
    path: '/v1/sandbox/disputes',
    operationId: 'openDispute',
    method: 'POST',
    idempotencyKey: { refused: 'each request opens another dispute' },
    summary: 'Open a dispute of a paid invoice',
    description:
      'The consumer’s bank disputes the charge that paid the invoice. The dispute is decided at once, or stays open with `needs_response`: then its money and its fee are withdrawn. The service learns of it by webhook within seconds. Only with the sandbox processor.',
    body: disputeOrderSchema,
    responses: {
      201: { description: 'The dispute is opened, and decided unless it needs a response.', schema: disputeSchema },
    },
    errors: ['not_found', 'invoice_not_paid', 'refund_too_large'],
  },
  {
    ...trouble,
    path: '/v1/sandbox/disputes/{dispute_id}/decide',
    operationId: 'decideDispute',
    method: 'POST',
    idempotencyKey: { refused: 'a dispute is decided once' },
    summary: 'Decide an open dispute',
    description:
      'If the dispute is won, the withdrawn money comes back, and its fee does not. If it is lost, the money is taken for good. A repeat with the same outcome changes nothing. Only with the sandbox processor.',
    params: z.object({ dispute_id: disputeIdSchema }),
    body: disputeDecisionSchema,
    responses: { 200: { description: 'The dispute is decided.', schema: disputeSchema } },
    errors: ['not_found', 'dispute_decided'],
  },
  {
    ...trouble,
    path: '/v1/sandbox/own-payouts',
    operationId: 'payOutToBank',
    method: 'POST',
    idempotencyKey: { refused: 'each request pays out again' },
    summary: 'Pay out the platform’s balance',
    description:
      'A payout of the platform’s own balance at the processor, as its owner makes it in the dashboard of a real one. The service learns of it by webhook within seconds and books it: its money is in the ledger account `bank` then. Only with the sandbox processor.',
    body: ownPayoutOrderSchema,
    responses: { 201: { description: 'The payout is made.', schema: ownPayoutSchema } },
    errors: ['balance_too_small'],
  },
];
