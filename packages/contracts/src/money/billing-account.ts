import { z } from 'zod';
import { closedObject } from '../forms/closed-object.ts';
import { idSchema } from '../forms/id.ts';
import { returnUrlSchema } from './return-url.ts';
import { isoTimeSchema } from '../forms/timestamp.ts';

/** The state of a payout account: what the processor still asks for, and what went wrong. */
const payoutAccountStateShape = {
  requirements: z
    .array(z.string())
    .meta({ description: 'What the processor still wants to know, in its own names. A connect link asks for it.' }),
  disabled_reason: z
    .string()
    .nullable()
    .meta({
      description: 'Why the processor has disabled the account, in its own words.',
      examples: ['rejected.other'],
    }),
  bank_failure: z
    .object({
      code: z
        .string()
        .meta({ description: 'The reason, in the words of the processor.', examples: ['account_closed'] }),
      failed_at: isoTimeSchema.meta({ description: 'When the refused payout was begun.' }),
    })
    .nullable()
    .meta({
      description:
        'The last payout from the payment account to its owner’s bank, if the bank refused it. The owner corrects the bank account by a login link.',
    }),
};

export const billingAccountSchema = z
  .object({
    processor_connected: z.boolean().meta({ description: 'Whether the external payment account is connected.' }),
    processor_account_id: z
      .string()
      .nullable()
      .meta({ description: 'Null before connecting and after disconnecting.', examples: ['acct_sandbox_7Qm2'] }),
    payout_enabled: z.boolean().meta({ description: 'Whether the payment account can receive payouts.' }),
    pending_balance_usd: z
      .number()
      .meta({ description: 'Earned and not yet paid out. It may be negative after refunds.' }),
    ...payoutAccountStateShape,
  })
  .meta({ id: 'BillingAccount' });

/** A builder's payout account, as the operator sees it. */
export const payoutAccountSchema = z
  .object({
    account_id: idSchema.meta({ description: 'The builder.' }),
    processor_account_id: z.string().nullable().meta({ description: 'Null if the builder never asked for one.' }),
    details_submitted: z.boolean().meta({ description: 'Whether the builder has completed onboarding.' }),
    payout_enabled: z.boolean().meta({ description: 'Whether the payment account can receive payouts.' }),
    disconnected: z.boolean().meta({ description: 'Whether the builder has disconnected it.' }),
    country: z.string().nullable().meta({ description: 'The country that the builder named.' }),
    ...payoutAccountStateShape,
  })
  .meta({ id: 'PayoutAccount' });

export const connectSchema = closedObject({
  return_url: returnUrlSchema,
  country: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .optional()
    .meta({
      description:
        'Where the builder lives or is registered, as ISO 3166-1 alpha-2. It cannot change after onboarding. Default: the country of the platform.',
      examples: ['DE'],
    }),
}).meta({
  id: 'NewConnectLink',
  examples: [{ return_url: 'https://example.com/billing', country: 'DE' }],
});

export const loginLinkSchema = z
  .object({
    login_url: z.string().meta({ format: 'uri', description: 'Send the browser to this address. It works once.' }),
  })
  .meta({ id: 'LoginLink' });

export const connectLinkSchema = z
  .object({
    connect_url: z.string().meta({ format: 'uri', description: 'Send the browser to this address. It works once.' }),
    expires_at: isoTimeSchema,
  })
  .meta({ id: 'ConnectLink' });

export const setupPaymentMethodSchema = closedObject({ return_url: returnUrlSchema }).meta({
  id: 'NewPaymentMethodSetup',
  examples: [{ return_url: 'https://example.com/billing' }],
});

export const setupLinkSchema = z
  .object({
    setup_url: z.string().meta({ format: 'uri', description: 'Send the browser to this address. It works once.' }),
    expires_at: isoTimeSchema,
  })
  .meta({ id: 'PaymentMethodSetup' });

export const paymentMethodSchema = z
  .object({
    brand: z.string().meta({ description: 'The kind of card or account, in lower case.', examples: ['visa'] }),
    last4: z.string().meta({ description: 'The last four digits.', examples: ['4242'] }),
    exp_month: z.int().min(1).max(12).meta({ description: 'The month of expiry, 1 to 12.' }),
    exp_year: z.int().meta({ description: 'The year of expiry, four digits.' }),
  })
  .meta({ id: 'PaymentMethod' });

export type BillingAccount = z.infer<typeof billingAccountSchema>;
export type PayoutAccount = z.infer<typeof payoutAccountSchema>;
export type ConnectLink = z.infer<typeof connectLinkSchema>;
export type SetupLink = z.infer<typeof setupLinkSchema>;
export type PaymentMethod = z.infer<typeof paymentMethodSchema>;
