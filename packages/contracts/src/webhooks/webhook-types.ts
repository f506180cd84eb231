import { z } from 'zod';
import { idSchema } from '../forms/id.ts';
import { isoTimeSchema } from '../forms/timestamp.ts';
import { ownCreditShape, topUpSchema } from '../money/balance.ts';
import { paymentMethodSchema } from '../money/billing-account.ts';
import { noteShape } from '../money/credit-notes.ts';
import { invoiceSummarySchema } from '../money/invoices.ts';
import { payoutShape } from '../money/payouts.ts';
import * as examples from './webhook-examples.ts';

/** Every `data` has these beside its object. */
const toldShape = {
  account_id: idSchema.meta({ description: 'The account that it concerns.' }),
  version: z.int().min(1).meta({
    description:
      'Grows with each change of an object. Webhooks come in any order: of two about one object, the one with the greater version is newer.',
  }),
};

const invoice = z
  .object({ ...invoiceSummarySchema.shape, ...toldShape })
  .meta({ id: 'WebhookInvoice', description: 'The invoice after the change, without its lines.' });

const payout = z
  .object({ ...payoutShape, ...toldShape })
  .meta({ id: 'WebhookPayout', description: 'The payout after the change.' });

const paymentMethod = z.object({ ...paymentMethodSchema.shape, ...toldShape }).meta({
  id: 'WebhookPaymentMethod',
  description: 'The payment method. `payment_method.removed` shows the one that was there.',
});

const dispute = z
  .object({
    id: idSchema.meta({ description: 'The id of the dispute.' }),
    invoice_id: idSchema.nullable().meta({ description: 'The disputed invoice; null if it is of a top-up.' }),
    top_up_id: idSchema.nullable().meta({ description: 'The disputed top-up; null if it is of an invoice.' }),
    currency: z.literal('usd'),
    amount_usd: z.number().meta({ description: 'Whole cents.' }),
    status: z.enum(['open', 'won', 'lost']).meta({
      description: '`lost`: the bank of the consumer took the money. `won`: the payment stands.',
    }),
    opened_at: isoTimeSchema,
    closed_at: isoTimeSchema.nullable().meta({ description: 'Null while it is open.' }),
    ...toldShape,
  })
  .meta({ id: 'WebhookDispute', description: 'A dispute of a charge, after the change.' });

const topUp = z
  .object({ ...topUpSchema.shape, ...toldShape })
  .meta({ id: 'WebhookTopUp', description: 'The top-up after the change.' });

const credit = z
  .object({ ...ownCreditShape, ...toldShape })
  .meta({ id: 'WebhookCredit', description: 'The credit after the change.' });

const creditNote = z
  .object({ ...noteShape, ...toldShape })
  .meta({ id: 'WebhookCreditNote', description: 'The credit note, without its lines.' });

const test = z
  .object({ endpoint_id: idSchema.meta({ description: 'The endpoint that is tested.' }) })
  .meta({ id: 'WebhookTest' });

const disabledEndpoint = z
  .object({
    id: idSchema.meta({ description: 'The id of the endpoint.' }),
    url: z.string().meta({ description: 'Its address.' }),
    reason: z.enum(['gone', 'failing']).meta({
      description: '`gone`: it answered 410. `failing`: it answered no event with success for five days.',
    }),
  })
  .meta({ id: 'WebhookDisabledEndpoint' });

export interface WebhookType {
  readonly summary: string;
  readonly data: z.ZodObject;
  /** `data` as it may come. */
  readonly example: object;
}

/** Everything that is told, by its type. */
export const webhookTypes = {
  'invoice.issued': { summary: 'An invoice was issued', data: invoice, example: examples.invoice('open') },
  'invoice.paid': { summary: 'An invoice was paid', data: invoice, example: examples.invoice('paid') },
  'invoice.payment_failed': {
    summary: 'A charge of an invoice failed',
    data: invoice,
    example: { ...examples.invoice('open'), held_for: 'payment_method' },
  },
  'invoice.past_due': { summary: 'An invoice is past due', data: invoice, example: examples.invoice('past_due') },
  'invoice.uncollectible': {
    summary: 'An invoice was written off',
    data: invoice,
    example: examples.invoice('uncollectible'),
  },
  'invoice.voided': { summary: 'An invoice was voided', data: invoice, example: examples.invoice('void') },
  'invoice.refunded': {
    summary: 'Money of an invoice went back',
    data: invoice,
    example: { ...examples.invoice('paid'), refunded_usd: 5 },
  },
  'credit_note.issued': { summary: 'A credit note was issued', data: creditNote, example: examples.creditNote },
  'payment_method.updated': {
    summary: 'A payment method was set up or replaced',
    data: paymentMethod,
    example: examples.paymentMethod,
  },
  'payment_method.removed': {
    summary: 'A payment method was removed',
    data: paymentMethod,
    example: examples.paymentMethod,
  },
  'dispute.opened': { summary: 'A charge was disputed', data: dispute, example: examples.dispute('open') },
  'dispute.won': { summary: 'A dispute was won', data: dispute, example: examples.dispute('won') },
  'dispute.lost': { summary: 'A dispute was lost', data: dispute, example: examples.dispute('lost') },
  'balance.topped_up': {
    summary: 'Money came onto a balance',
    data: topUp,
    example: examples.topUp('succeeded'),
  },
  'top_up.failed': { summary: 'A top-up failed', data: topUp, example: examples.topUp('failed') },
  'credit.granted': { summary: 'A credit was granted', data: credit, example: examples.credit(25) },
  'credit.expired': { summary: 'The rest of a credit expired', data: credit, example: examples.credit(0) },
  'payout.scheduled': { summary: 'A payout was scheduled', data: payout, example: examples.payout('scheduled') },
  'payout.paid': { summary: 'A payout was transferred', data: payout, example: examples.payout('paid') },
  'payout.failed': { summary: 'The transfer of a payout failed', data: payout, example: examples.payout('failed') },
  'payout.reversed': {
    summary: 'The money of a payout came back',
    data: payout,
    example: examples.payout('failed'),
  },
  'webhook_endpoint.disabled': {
    summary: 'A webhook endpoint was disabled',
    data: disabledEndpoint,
    example: examples.disabledEndpoint,
  },
  'webhook.test': { summary: 'A test that you asked for', data: test, example: examples.test },
} satisfies Record<string, WebhookType>;

export type WebhookTypeName = keyof typeof webhookTypes;
