import { clockSkewMaxSchema } from '@tollgate/runtime/config/clock-skew-schema';
import { operatorSettings } from '@tollgate/runtime/config/operator-settings';
import { outgoingSettings } from '@tollgate/runtime/config/outgoing-settings';
import {
  corsOriginsSchema,
  portSchema,
  processSettings,
  tokenSettings,
  publicUrlSchema,
  trustedProxiesSchema,
} from '@tollgate/runtime/config/process-settings';
import { rateLimitSettings } from '@tollgate/runtime/config/rate-limit-settings';
import { z } from 'zod';
import { defaultIssuer } from './invoicing/party.ts';

const wholeNumber = z.coerce.number().int();

const settingsSchema = z.object({
  DATABASE_API_URL: z
    .url()
    .describe('PostgreSQL, role billing_api: acts for one account at a time, under row-level policies.'),
  DATABASE_WORKER_URL: z.url().describe('PostgreSQL, role billing_worker: credentials, invoices, clean-up.'),
  DATABASE_CONNECTIONS_MAX: wholeNumber
    .min(2)
    .max(100)
    .default(10)
    .describe('Connections for requests, half for the catalogue and half for usage. Background work has a dozen more.'),
  INVOICE_MINIMUM_USD: z
    .string()
    .regex(/^\d{1,6}(?:\.\d{1,6})?$/, { error: 'must be a decimal of dollars, such as 0.50' })
    .default('0.50')
    .describe('An invoice below this bills nothing; its amount is carried to the next one.'),
  INVOICE_ISSUER_NAME: z
    .string()
    .min(1)
    .max(200)
    .default(defaultIssuer.name)
    .describe('The issuer: the name of your company, as every new invoice prints it.'),
  INVOICE_ISSUER_ADDRESS: z
    .string()
    .max(600)
    .default('')
    .describe('Your postal address on invoices, without the country; lines separated by semicolons.'),
  INVOICE_ISSUER_COUNTRY: z
    .string()
    .regex(/^[A-Z]{2}$/, { error: 'must be two capital letters, such as DE' })
    .optional()
    .describe('Your country on invoices, as ISO 3166-1 alpha-2.'),
  INVOICE_ISSUER_TAX_ID: z.string().max(40).optional().describe('Your tax number on invoices, such as of VAT.'),
  INVOICE_TAX_NOTE: z
    .string()
    .min(1)
    .max(300)
    .default(defaultIssuer.taxNote)
    .describe(
      'Why an invoice has no tax, such as `Reverse charge: the recipient owes the tax.` Tollgate computes no tax.',
    ),
  INVOICE_COLLECT_MAX_USD: z
    .string()
    .regex(/^\d{1,8}(?:\.\d{1,2})?$/, {
      error: 'must be a decimal of dollars with at most two decimals and below 100000000, such as 5000',
    })
    .default('100000')
    .describe(
      'An invoice above this is charged only after the operator has confirmed it (`POST /v1/operator/invoices/{id}/confirm`, or `tollgate operator invoice confirm`). A public market sets less, such as 5000.',
    ),
  TOOLS_PER_ACCOUNT_MAX: wholeNumber
    .min(1)
    .default(1_000)
    .describe('Tools that an account may register, archived ones included; 422 `too_many_tools` beyond it.'),
  PRICE_VERSIONS_PER_TOOL_MAX: wholeNumber
    .min(1)
    .default(1_000)
    .describe('Price versions that a tool may have; 422 `too_many_price_versions` beyond it.'),
  PRICE_MAX_USD: z
    .string()
    .regex(/^\d{1,12}(?:\.\d{1,12})?$/, { error: 'must be a decimal of dollars, such as 10 or 0.25' })
    .default('10000')
    .describe(
      'No amount in a price (per unit, flat, or for a package) may be more than this; 422 `price_too_high` beyond it. A public market sets less, such as 10.',
    ),
  PRICE_RISE_NOTICE_DAYS: wholeNumber
    .min(0)
    .max(365)
    .default(0)
    .describe(
      'Days of notice of a price that may cost more, if consumers have used the tool; 422 `price_rise_too_soon` otherwise. 0: an hour is enough. A public market sets 30.',
    ),
  ALERT_USAGE_FACTOR: wholeNumber
    .min(0)
    .max(1_000_000)
    .default(0)
    .describe(
      'A consumer raises an alert who calls a tool this many times more within 24 hours than per day in the 28 days before (`GET /v1/operator/usage-alerts`). 0: no alerts. A public market sets 10.',
    ),
  ALERT_USAGE_CALLS_MIN: wholeNumber
    .min(1)
    .default(10_000)
    .describe('Fewer calls of a tool by a consumer within 24 hours raise no alert.'),
  PROCESSOR: z
    .enum(['sandbox', 'stripe'])
    .default('sandbox')
    .describe(
      'The processor that moves the money. `sandbox` is built in, keeps its state in the database and moves none.',
    ),
  SANDBOX_WEBHOOK_SECRET: z
    .string()
    .min(32)
    .optional()
    .describe(
      'Signs the webhooks of the sandbox processor; at least 32 characters, the same in all replicas. Required with `PROCESSOR=sandbox`.',
    ),
  SANDBOX_FUNDS_USD: z
    .string()
    .regex(/^\d{1,9}(?:\.\d{1,2})?$/, {
      error: 'must be a decimal of dollars with at most two decimals, such as 250.00',
    })
    .default('1000000.00')
    .describe(
      'What the platform has deposited at the sandbox processor. Transfers to builders are paid from this and from what was charged, less refunds and fees; short of funds they wait, as at Stripe. With 0 the platform has no money to pay fees from.',
    ),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^(?:sk|rk)_\w+$/, { error: 'must be a secret or restricted key of Stripe, such as sk_live_…' })
    .optional()
    .describe('Key of the platform account at Stripe. Required with `PROCESSOR=stripe`.'),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_[^\s,]+(,whsec_[^\s,]+)*$/, {
      error: 'must be the secrets of webhook endpoints at Stripe, such as whsec_…, separated by commas',
    })
    .optional()
    .describe(
      'Secrets of the webhook endpoints at Stripe that call `/v1/webhooks/stripe` (one for the platform, one for connected accounts), separated by commas. Required with `PROCESSOR=stripe`.',
    ),
  STRIPE_API_URL: z
    .url({ protocol: /^https?$/ })
    .default('https://api.stripe.com')
    .describe('Address of Stripe. Another address is for tests only.'),
  PUBLIC_URL: publicUrlSchema,
  PLATFORM_FEE_FREE_SCOPE: z
    .enum(['lifetime', 'month'])
    .default('lifetime')
    .describe("The 1,000 USD of a builder's gross without a fee: its first ever, or the first of each month."),
  PROCESSOR_FEE_BEARER: z
    .string()
    .refine((bearer) => bearer !== 'consumer', {
      error:
        'must be platform or builder: the fee of a charge is known after the charge, so no invoice can state it exactly. Let prices cover it',
      abort: true,
    })
    .pipe(z.enum(['platform', 'builder'], { error: 'must be platform or builder' }))
    .default('platform')
    .describe(
      "Who bears the processor's fee on a charge: the platform, or the builders of the invoice that it pays, in proportion to their earnings. It counts for charges that succeed from then on.",
    ),
  PAYOUT_DELAY_DAYS: wholeNumber
    .min(0)
    .max(90)
    .default(7)
    .describe("Days from a month's end to its payout day, which never comes before the month is closed."),
  PAYOUT_MINIMUM_USD: z
    .string()
    .regex(/^\d{1,6}(?:\.\d{1,6})?$/, { error: 'must be a decimal of dollars, such as 1.00' })
    .default('1.00')
    .describe('Less than this is not paid out; the money joins the next payout.'),
  PAYOUT_YOUNG_DELAY_DAYS: wholeNumber
    .min(0)
    .max(365)
    .default(0)
    .describe(
      'Days after the first collected earning of a builder in which nothing is paid out to it; the money joins a later payout. A public market sets 30.',
    ),
  PAYOUT_RESERVE_PERCENT: wholeNumber
    .min(0)
    .max(100)
    .default(0)
    .describe(
      'This part of the earnings of a young builder is not paid out while it is young, as a reserve for refunds and disputes. A public market sets 10.',
    ),
  PAYOUT_YOUNG_DAYS: wholeNumber
    .min(1)
    .max(3_650)
    .default(90)
    .describe('Days after its first collected earning in which a builder is young.'),
  ...tokenSettings,
  ...operatorSettings,
  ...outgoingSettings,
  APPEND_DEADLINE_MS: wholeNumber
    .min(100)
    .max(60_000)
    .default(5_000)
    .describe('How long after receipt a gateway may still acknowledge an event; the same for all services.'),
  CLOCK_SKEW_MAX_MS: clockSkewMaxSchema,
  ...rateLimitSettings,
  TRUSTED_PROXIES: trustedProxiesSchema,
  CORS_ORIGINS: corsOriginsSchema,
  ...processSettings,
  PORT: portSchema.default(8082).describe('Port to listen on.'),
});

/**
 * The schema with the settings that each processor requires. They are also checked if other settings are wrong, to
 * report all problems at once.
 */
export const configSchema = settingsSchema
  .refine((config) => config.PROCESSOR !== 'sandbox' || config.SANDBOX_WEBHOOK_SECRET !== undefined, {
    path: ['SANDBOX_WEBHOOK_SECRET'],
    when: always,
  })
  .refine((config) => config.PROCESSOR !== 'stripe' || config.STRIPE_SECRET_KEY !== undefined, {
    path: ['STRIPE_SECRET_KEY'],
    when: always,
  })
  .refine((config) => config.PROCESSOR !== 'stripe' || config.STRIPE_WEBHOOK_SECRET !== undefined, {
    path: ['STRIPE_WEBHOOK_SECRET'],
    when: always,
  })
  .refine((config) => config.PROCESSOR !== 'stripe' || config.SANDBOX_CLOCK !== 'on', {
    path: ['SANDBOX_CLOCK'],
    error: 'must be off with PROCESSOR=stripe: real money needs real time',
    when: always,
  })
  .refine((config) => config.PROCESSOR !== 'stripe' || config.SANDBOX_CLOCK_START === undefined, {
    path: ['SANDBOX_CLOCK_START'],
    error: 'must not be given with PROCESSOR=stripe: real money needs real time',
    when: always,
  })
  .refine((config) => config.PROCESSOR !== 'stripe' || config.OUTGOING_ALLOW === undefined, {
    path: ['OUTGOING_ALLOW'],
    error: 'must not be given with PROCESSOR=stripe: strangers would reach what is on this machine',
    when: always,
  });

function always(): boolean {
  return true;
}

/** The settings that open the processor without receiving its webhooks. */
export const processorConfigSchema = settingsSchema.pick({
  PROCESSOR: true,
  SANDBOX_FUNDS_USD: true,
  STRIPE_SECRET_KEY: true,
  STRIPE_API_URL: true,
});

/** The settings that a trace needs. */
export const traceConfigSchema = settingsSchema.pick({
  PROCESSOR: true,
  PLATFORM_FEE_FREE_SCOPE: true,
  PAYOUT_DELAY_DAYS: true,
  PAYOUT_MINIMUM_USD: true,
});

export type TraceConfig = z.infer<typeof traceConfigSchema>;
export type ProcessorConfig = z.infer<typeof processorConfigSchema>;
export type Config = z.infer<typeof configSchema>;
