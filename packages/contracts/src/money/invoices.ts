import { z } from 'zod';
import { idSchema } from '../forms/id.ts';
import { listSchema, pageQueryShape } from '../forms/lists.ts';
import { periodSchema } from '../forms/period.ts';
import { isoTimeSchema } from '../forms/timestamp.ts';

const ratedUsd = z.number().meta({ description: 'Up to six decimals.' });
const movedUsd = z.number().meta({ description: 'Whole cents.' });

const invoiceStatuses = ['draft', 'open', 'paid', 'carried', 'past_due', 'uncollectible', 'void'] as const;

const invoiceLineSchema = z
  .object({
    tool_id: z.string().meta({ description: 'The slug of the tool.' }),
    price_id: idSchema.meta({ description: 'The price version that rated it.' }),
    charge: z.int().min(0).meta({ description: 'The place of the charge in its price, from 0.' }),
    name: z.string().nullable().meta({ description: 'The name of the charge; null if it has none.' }),
    quantity: z.string().meta({
      description: 'The billable quantity, including the free quantity; a decimal.',
      examples: ['1284'],
    }),
    unit: z.string().meta({ description: '`calls`, `ms`, or the metadata key that is summed.' }),
    charge_usd: ratedUsd,
    adjustment_of: periodSchema.nullable().meta({
      description: 'The earlier, closed period of calls that were counted late; null for the period of the invoice.',
    }),
  })
  .meta({ id: 'InvoiceLine' });

const amountsShape = {
  period: periodSchema,
  currency: z.literal('usd').meta({ description: 'All amounts are US dollars.' }),
  charge_usd: ratedUsd.meta({ description: 'The sum of the lines.' }),
  carried_in_usd: ratedUsd.meta({ description: 'The amount that earlier invoices did not bill.' }),
  total_usd: movedUsd.meta({ description: 'The billed amount: whole cents, rounded down; 0 below the minimum.' }),
  carried_out_usd: ratedUsd.meta({ description: 'The amount that is left for the next invoice.' }),
  refunded_usd: movedUsd.meta({ description: 'The refunds so far: whole cents.' }),
  balance_paid_usd: movedUsd.meta({
    description: 'The part of the total that the balance paid; the card pays the rest.',
  }),
  card_paid_usd: movedUsd.meta({
    description:
      'The part of the total that the card has paid so far. An invoice above the maximum of one charge is charged in parts.',
  }),
};

const balancePartSchema = z
  .object({
    credit_id: idSchema.meta({ description: 'The credit of the balance that paid.' }),
    top_up_id: idSchema
      .nullable()
      .meta({ description: 'The top-up that this credit comes from; null if the operator granted it.' }),
    amount_usd: movedUsd,
    calls_from: isoTimeSchema.nullable().meta({
      description:
        'The credit paid for calls from this time on: a grant pays for calls that were made while it was valid. Null for a top-up.',
    }),
    calls_to: isoTimeSchema
      .nullable()
      .meta({ description: 'The credit paid for calls before this time. Null for a top-up.' }),
  })
  .meta({ id: 'BalancePart', description: 'What one credit of the balance has paid of an invoice.' });

const invoiceShape = {
  ...amountsShape,
  balance_parts: z.array(balancePartSchema).meta({
    description: 'Which credits paid `balance_paid_usd`, in the order in which they are spent.',
  }),
  lines: z.array(invoiceLineSchema).meta({
    description:
      'One line per charge, price version and period. At most the first 1,000; in a list of invoices the first 20.',
  }),
  line_count: z.int().min(0).meta({ description: 'The number of all lines.' }),
  lines_truncated: z.boolean().meta({
    description: 'Whether `lines` has only the first ones. `GET /v1/billing/invoices/{id}/lines` lists all.',
  }),
};

const issuedStatusSchema = z.enum(invoiceStatuses).exclude(['draft']).meta({
  description:
    '`open`: to be paid. `carried`: it bills 0, and its amount is carried into the next invoice. `past_due`: unpaid for two weeks. `uncollectible`: written off. `void`: never owed.',
});

const heldForSchema = z.enum(['confirmation', 'payment_method', 'authentication']).nullable().meta({
  description:
    'Why it is not charged although it is due. `confirmation`: it is above the bound of one collection, and the operator confirms it first. `payment_method`: there is no payment method, or the one on file was refused for good. `authentication`: the bank wants its cardholder to confirm. For both, `POST /v1/billing/payment-method` links to a page where the consumer sets up or confirms a card, and everything that is owed is charged at once. Null: nothing holds it.',
});

const issuedShape = {
  id: idSchema.meta({ description: 'The id of the invoice.' }),
  number: z.int().min(1).meta({ description: 'The invoice number, without gaps over all invoices.' }),
  status: issuedStatusSchema,
  issued_at: isoTimeSchema.meta({ description: 'When the period was closed.' }),
  due_at: isoTimeSchema.meta({ description: 'When it must be paid.' }),
  paid_at: isoTimeSchema.nullable().meta({ description: 'Null until it is paid.' }),
};

export const invoiceSchema = z.object({ ...issuedShape, ...invoiceShape, held_for: heldForSchema }).meta({
  id: 'Invoice',
  description: 'The invoice of one closed period. Only its status changes. An invoice that bills 0 is `carried`.',
});

/** An invoice that may not be there yet. */
export const upcomingInvoiceSchema = z
  .object({
    id: idSchema.nullable().meta({ description: 'Null for a draft.' }),
    number: z.int().min(1).nullable().meta({ description: 'Null for a draft.' }),
    status: z.enum(invoiceStatuses).meta({ description: '`draft`: the period is not closed.' }),
    issued_at: isoTimeSchema.nullable().meta({ description: 'Null for a draft.' }),
    due_at: isoTimeSchema.nullable().meta({ description: 'Null for a draft.' }),
    paid_at: isoTimeSchema.nullable().meta({ description: 'Null until it is paid.' }),
    held_for: heldForSchema,
    ...invoiceShape,
  })
  .meta({
    id: 'UpcomingInvoice',
    description: 'The invoice as it would be now. A `draft` has no id, number and dates until its period is closed.',
  });

export const invoiceListSchema = listSchema({ id: 'InvoiceList', name: 'invoices', item: invoiceSchema });

export const invoiceQuerySchema = z.object({
  ...pageQueryShape,
  status: issuedStatusSchema.optional().meta({ description: 'Only invoices with this status.' }),
  period: periodSchema.optional().meta({ description: 'Only the invoice of this month.' }),
});

/** One line per invoice, without the invoice's own lines. */
export const invoiceSummarySchema = z
  .object({
    account_id: idSchema.meta({ description: 'The consumer.' }),
    ...issuedShape,
    ...amountsShape,
    held_for: heldForSchema,
  })
  .meta({ id: 'InvoiceSummary', description: 'An invoice without its lines.' });

export const invoiceSummaryListSchema = listSchema({
  id: 'InvoiceSummaryList',
  name: 'invoices',
  item: invoiceSummarySchema,
});

export const invoiceLineListSchema = listSchema({
  id: 'InvoiceLineList',
  name: 'lines',
  item: invoiceLineSchema,
  order: 'in the order of the invoice',
});

/** Bytes, which JSON Schema knows by their format alone. */
export const invoicePdfSchema = z.string().meta({ format: 'binary' });

export const upcomingInvoiceQuerySchema = z.object({
  period: periodSchema.optional().meta({ description: 'A calendar month in UTC. Default: the current month.' }),
});

export type InvoiceLine = z.infer<typeof invoiceLineSchema>;
export type Invoice = z.infer<typeof invoiceSchema>;
export type UpcomingInvoice = z.infer<typeof upcomingInvoiceSchema>;
export type InvoiceList = z.infer<typeof invoiceListSchema>;
export type InvoiceSummary = z.infer<typeof invoiceSummarySchema>;
export type InvoiceSummaryList = z.infer<typeof invoiceSummaryListSchema>;
export type InvoiceLineList = z.infer<typeof invoiceLineListSchema>;
export type UpcomingInvoiceQuery = z.output<typeof upcomingInvoiceQuerySchema>;
