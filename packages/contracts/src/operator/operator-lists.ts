import { z } from 'zod';
import { idSchema } from '../forms/id.ts';
import { invoiceQuerySchema } from '../money/invoices.ts';
import { pageQueryShape, wholeNumberSchema } from '../forms/lists.ts';
import { periodSchema } from '../forms/period.ts';

export const formatSchema = z.enum(['json', 'csv']).default('json').meta({
  description:
    '`csv`: the entries as a table with a header line, in place of JSON. The header `X-Next-Cursor` then has the cursor of the next page.',
});

const accountSchema = idSchema.optional().meta({ description: 'Only those of this account.' });

export const operatorInvoiceQuerySchema = z.object({
  ...invoiceQuerySchema.shape,
  account_id: accountSchema,
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

/** The query of a report, which has no pages. */
export const reportQuerySchema = z.object({ format: formatSchema });

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
