import { z } from 'zod';
import { accountSchema } from '../accounts/accounts.ts';
import { apiKeySchema } from '../accounts/api-keys.ts';
import { idSchema } from '../forms/id.ts';
import { isoTimeSchema } from '../forms/timestamp.ts';
import { ownCreditShape, topUpSchema } from '../money/balance.ts';
import { balanceRefundSchema } from '../money/balance-refunds.ts';
import { billingAccountSchema, paymentMethodSchema } from '../money/billing-account.ts';
import { noteShape } from '../money/credit-notes.ts';
import { forecastShape } from '../money/forecast.ts';
import { invoiceSummarySchema } from '../money/invoices.ts';
import { payoutShape } from '../money/payouts.ts';
import { deadLetterSchema } from '../operator/dead-letters.ts';
import { spendingAlertSchema } from '../spending/budget.ts';
import { priceSchema } from '../tools/price.ts';
import { priceVersionSchema, toolSchema } from '../tools/tools.ts';

/** Every `data` has these beside its object. */
const toldShape = {
  account_id: idSchema.meta({ description: 'The account that it concerns.' }),
  version: z.int().min(1).meta({
    description:
      'Grows with each change of an object. Webhooks come in any order: of two about one object, the one with the greater version is newer.',
  }),
};

export const invoice = z
  .object({ ...invoiceSummarySchema.shape, ...toldShape })
  .meta({ id: 'WebhookInvoice', description: 'The invoice after the change, without its lines.' });

export const payout = z
  .object({ ...payoutShape, ...toldShape })
  .meta({ id: 'WebhookPayout', description: 'The payout after the change.' });

export const paymentMethod = z.object({ ...paymentMethodSchema.shape, ...toldShape }).meta({
  id: 'WebhookPaymentMethod',
  description: 'The payment method. `payment_method.removed` shows the one that was there.',
});

export const payoutAccount = z
  .object({ ...billingAccountSchema.omit({ pending_balance_usd: true }).shape, ...toldShape })
  .meta({ id: 'WebhookPayoutAccount', description: 'The payout account after the change, without the balance.' });

const priceOfWebhook = priceSchema.nullable().meta({
  description: 'Null if it has more than 10,000 bytes: read it by its route.',
});

export const tool = z
  .object({ ...toolSchema.shape, price: priceOfWebhook, ...toldShape })
  .meta({ id: 'WebhookTool', description: 'The tool after the change, with the price that was in force.' });

export const toolPrice = z
  .object({
    slug: z.string().meta({ description: 'The slug of the tool.' }),
    ...priceVersionSchema.shape,
    price: priceOfWebhook,
    ...toldShape,
  })
  .meta({ id: 'WebhookToolPrice', description: 'The price version that was added.' });

export const dispute = z
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

export const topUp = z
  .object({ ...topUpSchema.shape, ...toldShape })
  .meta({ id: 'WebhookTopUp', description: 'The top-up after the change.' });

export const credit = z
  .object({ ...ownCreditShape, ...toldShape })
  .meta({ id: 'WebhookCredit', description: 'The credit after the change.' });

export const balanceRefund = z.object({ ...balanceRefundSchema.shape, ...toldShape }).meta({
  id: 'WebhookBalanceRefund',
  description: 'The refund after the change, with at most 50 of its parts.',
});

export const creditNote = z
  .object({ ...noteShape, ...toldShape })
  .meta({ id: 'WebhookCreditNote', description: 'The credit note, without its lines.' });

export const test = z
  .object({ endpoint_id: idSchema.meta({ description: 'The endpoint that is tested.' }) })
  .meta({ id: 'WebhookTest' });

export const disabledEndpoint = z
  .object({
    id: idSchema.meta({ description: 'The id of the endpoint.' }),
    url: z.string().meta({ description: 'Its address.' }),
    reason: z.enum(['gone', 'failing']).meta({
      description: '`gone`: it answered 410. `failing`: it answered no event with success for five days.',
    }),
  })
  .meta({ id: 'WebhookDisabledEndpoint' });

const versionShape = { version: toldShape.version };

export const apiKey = z
  .object({ ...apiKeySchema.shape, ...toldShape })
  .meta({ id: 'WebhookApiKey', description: 'The API key after the change, without the key itself.' });

export const consent = z
  .object({
    id: idSchema.meta({ description: 'The id of the consent.' }),
    client_id: z.string().meta({ description: 'The client that may spend.' }),
    client_name: z.string().meta({ description: 'How the client calls itself.' }),
    resource: z.string().meta({ description: 'The address at which it may spend.' }),
    pass_id: idSchema.meta({ description: 'The pass that says how much. To revoke it ends the consent.' }),
    consented_at: isoTimeSchema,
    ended_at: isoTimeSchema.nullable().meta({ description: 'Null while it counts.' }),
    ...toldShape,
  })
  .meta({ id: 'WebhookConsent', description: 'What a client of OAuth may spend, after the change.' });

export const alert = z
  .object({ ...spendingAlertSchema.shape, ...toldShape })
  .meta({ id: 'WebhookSpendingAlert', description: 'The alert, as `GET /v1/billing/alerts` lists it.' });

export const calledTool = z
  .object({
    slug: z.string().meta({ description: 'The slug of the tool.' }),
    name: z.string().meta({ description: 'For people.' }),
    first_called_at: isoTimeSchema.meta({ description: 'When the call happened.' }),
    ...toldShape,
  })
  .meta({ id: 'WebhookCalledTool', description: 'A tool of which the first call was counted.' });

export const account = z
  .object({ ...accountSchema.shape, ...versionShape })
  .meta({ id: 'WebhookAccount', description: 'The new account.' });

export const deadLetter = z
  .object({ ...deadLetterSchema.shape, ...versionShape })
  .meta({ id: 'WebhookDeadLetter', description: 'The dead letter, without its record.' });

export const difference = z
  .object({
    books: z.enum(['ledger', 'rollups']).meta({
      description: '`ledger`: ledger, invoices and payouts. `rollups`: the sums of counted calls.',
    }),
    differences: z.int().min(1).meta({ description: 'Rules of the ledger that do not hold, or rows that differ.' }),
    checked_at: isoTimeSchema,
    ...versionShape,
  })
  .meta({
    id: 'WebhookDifference',
    description: 'What the nightly check found. The log of the service names the rows.',
  });

const usd = z.number().meta({ description: 'US dollars, up to six decimals.' });

export const forecast = z
  .object({ ...forecastShape, ...toldShape })
  .meta({ id: 'WebhookForecast', description: 'The forecast, as `GET /v1/billing/forecast` showed it then.' });

export const anomaly = z
  .object({
    id: idSchema.meta({ description: 'The id of the alert.' }),
    scope: z.enum(['pass', 'tool', 'account']).meta({ description: 'The narrowest that spends more than usual.' }),
    scope_id: z.string().meta({ description: 'The id of the pass, the tool or the account.' }),
    window: z.enum(['hour', 'day']).meta({ description: 'An hour, or 24 hours.' }),
    from: isoTimeSchema,
    to: isoTimeSchema,
    spent_usd: usd.meta({ description: 'The spending from `from` to `to`.' }),
    usual_usd: usd.meta({ description: 'The usual spending in the same hours of a day, in the six weeks before.' }),
    raised_at: isoTimeSchema,
    ...toldShape,
  })
  .meta({ id: 'WebhookSpendingAnomaly' });
