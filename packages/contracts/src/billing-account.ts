import { z } from 'zod';
import { closedObject } from './closed-object.ts';
import { returnUrlSchema } from './return-url.ts';
import { isoTimeSchema } from './timestamp.ts';

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
  })
  .meta({ id: 'BillingAccount' });

export const connectSchema = closedObject({ return_url: returnUrlSchema }).meta({
  id: 'NewConnectLink',
  examples: [{ return_url: 'https://example.com/billing' }],
});

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
export type ConnectLink = z.infer<typeof connectLinkSchema>;
export type SetupLink = z.infer<typeof setupLinkSchema>;
export type PaymentMethod = z.infer<typeof paymentMethodSchema>;
