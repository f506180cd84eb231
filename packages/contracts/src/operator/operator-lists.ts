import { z } from 'zod';
import { idSchema } from '../forms/id.ts';
import { invoiceQuerySchema, invoiceSummaryListSchema } from '../money/invoices.ts';
import { formatSchema, pageQueryShape, reportQuerySchema, wholeNumberSchema } from '../forms/lists.ts';
import { periodSchema } from '../forms/period.ts';
import { operatorPayoutListSchema } from '../money/payouts.ts';
import { agingSchema, feesSchema, revenueSchema, trialBalanceSchema } from './reports.ts';
import type { Route } from '../routes/route.ts';

const accountSchema = idSchema.optional().meta({ description: 'Only those of this account.' });

export const operatorInvoiceQuerySchema = z.object({
  ...invoiceQuerySchema.shape,
  account_id: accountSchema,
  invoice_id: idSchema.optional().meta({ description: 'Only this invoice.' }),
  held: z.enum(['true']).optional().meta({ description: 'Only invoices that wait for a confirmation.' }),
  format: formatSchema,
});

export const operatorPayoutQuerySchema = z.object({
  ...pageQueryShape,
  status: z.enum(['scheduled', 'paid', 'failed']).optional().meta({
    description: 'Only payouts with this status. Pending payouts are computed per account and are not listed.',
  }),
  period: periodSchema.optional().meta({ description: 'Only the payouts of this month.' }),
  account_id: accountSchema,
  failing_for_days: wholeNumberSchema({ max: 3_650, code: 'invalid_days' }).optional().meta({
    type: 'integer',
    minimum: 1,
    maximum: 3_650,
    description: 'Only failed payouts whose first failure is at least this many days ago.',
  }),
  format: formatSchema,
});

export const trialBalanceQuerySchema = z.object({
  period: periodSchema.optional().meta({
    description: 'Counts only postings of this month and the months before it. Default: all postings.',
  }),
  format: formatSchema,
});

export const revenueQuerySchema = z.object({
  from: periodSchema.optional().meta({ description: 'The first month. Default: the first month with revenue.' }),
  to: periodSchema.optional().meta({ description: 'The last month. Default: the last month with revenue.' }),
  format: formatSchema,
});

const operator = { access: 'operator', tag: 'Operator', service: 'billing', method: 'GET', errors: [] } as const;
const asTable = { isAlsoCsv: true } as const;
const asPagedTable = { ...asTable, headers: ['X-Next-Cursor'] } as const;

/** The operator's lists over all accounts, and reports. Each is also a table in CSV. */
export const operatorListRoutes: readonly Route[] = [
  {
    ...operator,
    operationId: 'listAllInvoices',
    path: '/v1/operator/invoices',
    summary: 'List invoices of all accounts',
    description: 'Lists issued invoices without their lines, newest first.',
    query: operatorInvoiceQuerySchema,
    responses: { 200: { description: 'A page of invoices.', schema: invoiceSummaryListSchema, ...asPagedTable } },
  },
  {
    ...operator,
    operationId: 'listAllPayouts',
    path: '/v1/operator/payouts',
    summary: 'List payouts of all accounts',
    description:
      'Lists stored payouts, newest first. A failed payout without `next_attempt_at` waits for a payout account.',
    query: operatorPayoutQuerySchema,
    responses: { 200: { description: 'A page of payouts.', schema: operatorPayoutListSchema, ...asPagedTable } },
  },
  {
    ...operator,
    operationId: 'getAging',
    path: '/v1/operator/aging',
    summary: 'Get unpaid invoices by age',
    query: reportQuerySchema,
    responses: { 200: { description: 'The sums by age.', schema: agingSchema, ...asTable } },
  },
  {
    ...operator,
    operationId: 'getTrialBalance',
    path: '/v1/operator/trial-balance',
    summary: 'Get the trial balance of the ledger',
    description:
      'Each posting belongs to one month. A close belongs to the month that it bills, everything else to the month in which it happened. A closed month takes no more postings, so its balances never change.',
    query: trialBalanceQuerySchema,
    responses: { 200: { description: 'The balances.', schema: trialBalanceSchema, ...asTable } },
  },
  {
    ...operator,
    operationId: 'getRevenue',
    path: '/v1/operator/revenue',
    summary: 'Get the revenue per month',
    query: revenueQuerySchema,
    responses: { 200: { description: 'The months.', schema: revenueSchema, ...asTable } },
  },
  {
    ...operator,
    operationId: 'getFees',
    path: '/v1/operator/fees',
    summary: 'Get processor and platform fees per month',
    description:
      'Shows whether the platform earns more than the payment processor costs. The first 1,000 USD of a builder bear no platform fee, so a platform of many small builders makes a loss unless builders bear the fees (`PROCESSOR_FEE_BEARER`).',
    query: revenueQuerySchema,
    responses: { 200: { description: 'The months.', schema: feesSchema, ...asTable } },
  },
];
