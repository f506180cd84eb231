import { operatorTokenSchema } from '@tollgate/runtime/config/operator-token-schema';
import {
  corsOriginsSchema,
  portSchema,
  processSettings,
  tokenSettings,
  trustedProxiesSchema,
} from '@tollgate/runtime/config/process-settings';
import { z } from 'zod';

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
    .describe('Connections for requests, half for the catalogue and half for usage; a dozen more for the work behind.'),
  INVOICE_MINIMUM_USD: z
    .string()
    .regex(/^\d{1,6}(?:\.\d{1,6})?$/, { error: 'must be a decimal of dollars, such as 0.50' })
    .default('0.50')
    .describe('An invoice below this bills nothing; all of it is carried to the next one.'),
  PROCESSOR: z
    .enum(['sandbox', 'stripe'])
    .default('sandbox')
    .describe('Who moves the money. `sandbox` comes along, keeps its state in the database and moves none.'),
  SANDBOX_WEBHOOK_SECRET: z
    .string()
    .min(32)
    .optional()
    .describe(
      'Signs what the sandbox processor tells, at least 32 characters; the same in all replicas. Required with it.',
    ),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^(?:sk|rk)_\w+$/, { error: 'must be a secret or restricted key of Stripe, as sk_live_…' })
    .optional()
    .describe('Key of the platform account at Stripe. Required with `PROCESSOR=stripe`.'),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_[^\s,]+(,whsec_[^\s,]+)*$/, {
      error: 'must be the secrets of webhook endpoints at Stripe, as whsec_…, with commas between them',
    })
    .optional()
    .describe(
      'What Stripe signs with for `/v1/webhooks/stripe`: the secret of each of its endpoints there (one for the platform, one for connected accounts), with commas between them. Required with `PROCESSOR=stripe`.',
    ),
  STRIPE_API_URL: z
    .url({ protocol: /^https?$/ })
    .default('https://api.stripe.com')
    .describe('Where Stripe is; another address for trials only.'),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Address at which browsers reach the service; left out, the host that a caller asked for, over http.'),
  PLATFORM_FEE_FREE_SCOPE: z
    .enum(['lifetime', 'month'])
    .default('lifetime')
    .describe("Which 1,000 USD of a builder's gross are free of the fee: its first ever, or the first of each month."),
  PAYOUT_DELAY_DAYS: wholeNumber
    .min(0)
    .max(90)
    .default(7)
    .describe("From a month's end to its payout day; never before the month is closed."),
  PAYOUT_MINIMUM_USD: z
    .string()
    .regex(/^\d{1,6}(?:\.\d{1,6})?$/, { error: 'must be a decimal of dollars, such as 1.00' })
    .default('1.00')
    .describe('A payout below this is not made; the money joins the next one.'),
  ...tokenSettings,
  OPERATOR_TOKEN: operatorTokenSchema,
  APPEND_DEADLINE_MS: wholeNumber
    .min(100)
    .max(60_000)
    .default(5_000)
    .describe('How long after receipt a gateway may still acknowledge an event; the same for all services.'),
  CLOCK_SKEW_MAX_MS: wholeNumber
    .min(0)
    .max(60_000)
    .default(2_000)
    .describe('How far the clocks of the machines may be apart; the same for all services.'),
  TRUSTED_PROXIES: trustedProxiesSchema,
  CORS_ORIGINS: corsOriginsSchema,
  ...processSettings,
  PORT: portSchema.default(8082).describe('Port to listen on.'),
});

/** What a processor needs beyond the schema of each setting; checked also where other settings are wrong, to tell all at once. */
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
    error: 'must be off with PROCESSOR=stripe: real money has the real time',
    when: always,
  })
  .refine((config) => config.PROCESSOR !== 'stripe' || config.SANDBOX_CLOCK_START === undefined, {
    path: ['SANDBOX_CLOCK_START'],
    error: 'must not be given with PROCESSOR=stripe: real money has the real time',
    when: always,
  });

function always(): boolean {
  return true;
}

/** What opens the processor, for who does not receive its webhooks. */
export const processorConfigSchema = settingsSchema.pick({
  PROCESSOR: true,
  STRIPE_SECRET_KEY: true,
  STRIPE_API_URL: true,
});

/** What tells where money waits. */
export const traceConfigSchema = settingsSchema.pick({
  PROCESSOR: true,
  PLATFORM_FEE_FREE_SCOPE: true,
  PAYOUT_DELAY_DAYS: true,
  PAYOUT_MINIMUM_USD: true,
});

export type TraceConfig = z.infer<typeof traceConfigSchema>;
export type ProcessorConfig = z.infer<typeof processorConfigSchema>;
export type Config = z.infer<typeof configSchema>;
