import { z } from 'zod';
import { periodSchema } from '../forms/period.ts';
import { isoTimeSchema } from '../forms/timestamp.ts';

const usd = z.number().meta({ description: 'US dollars, up to six decimals.' });
const currency = z.literal('usd').meta({ description: 'All amounts are US dollars.' });

export const agingBucketSchema = z
  .object({
    age: z.enum(['not_due', '1_30_days', '31_60_days', 'over_60_days']).meta({
      description: 'How long the invoices have been due. A day that has begun counts.',
    }),
    invoices: z.int().min(0).meta({ description: 'The number of invoices.' }),
    owed_usd: usd,
  })
  .meta({ id: 'AgingBucket' });

export const agingSchema = z
  .object({
    as_of: isoTimeSchema,
    currency,
    buckets: z.array(agingBucketSchema).meta({ description: 'Each age once, the youngest first.' }),
    invoices: z.int().min(0).meta({ description: 'The number of all these invoices.' }),
    owed_usd: usd.meta({ description: 'The sum of the buckets.' }),
  })
  .meta({ id: 'Aging', description: 'The `open` and `past_due` invoices by age.' });

export const trialBalanceAccountSchema = z
  .object({
    account: z
      .enum([
        'receivable',
        'consumer_balance',
        'refund_in_transit',
        'part_paid',
        'builder_earned',
        'builder_payable',
        'in_transit',
        'platform_fees',
        'cash',
        'bank',
        'disputed',
        'processor_fees',
        'promotions',
        'rounding',
      ])
      .meta({ description: 'The kind of ledger account, over all of its owners.' }),
    debit_usd: usd.meta({ description: 'The balance, if it is a debit; else 0.' }),
    credit_usd: usd.meta({ description: 'The balance, if it is a credit; else 0.' }),
  })
  .meta({ id: 'TrialBalanceAccount' });

export const trialBalanceSchema = z
  .object({
    as_of: isoTimeSchema,
    period: periodSchema.nullable().meta({
      description: 'The month at whose end these balances stand. `null`: they count all postings.',
    }),
    currency,
    accounts: z.array(trialBalanceAccountSchema).meta({ description: 'Each kind of ledger account once.' }),
    debit_usd: usd.meta({ description: 'The sum of the debits. It equals `credit_usd`.' }),
    credit_usd: usd.meta({ description: 'The sum of the credits.' }),
  })
  .meta({ id: 'TrialBalance', description: 'The balances of the ledger.' });

export const revenueMonthSchema = z
  .object({
    period: periodSchema.meta({ description: 'The accounting period of the postings.' }),
    fees_usd: usd.meta({ description: 'Platform fees that were taken, less fees that refunds gave back.' }),
    processor_fees_usd: usd.meta({ description: 'The fees of the payment processor: a cost.' }),
    promotions_usd: usd.meta({ description: 'Credits that were given away, less those that expired: a cost.' }),
    rounding_usd: usd.meta({ description: 'Money without another owner; below 0 is a cost.' }),
    net_usd: usd.meta({ description: 'Fees and rounding, less the fees of the processor and promotions.' }),
  })
  .meta({ id: 'RevenueMonth' });

export const revenueSchema = z
  .object({
    currency,
    months: z.array(revenueMonthSchema).meta({ description: 'The months with postings, newest first.' }),
  })
  .meta({ id: 'Revenue', description: 'What the platform earned, by month.' });

export const feeMonthSchema = z
  .object({
    period: periodSchema.meta({ description: 'The accounting period of the postings.' }),
    collected_usd: usd.meta({ description: 'What charges brought in for invoices.' }),
    platform_fees_usd: usd.meta({ description: 'Platform fees that were taken, less fees that refunds gave back.' }),
    charge_fees_usd: usd.meta({ description: 'The fees of the payment processor on charges.' }),
    dispute_fees_usd: usd.meta({ description: 'Its fees on disputes.' }),
    refund_fees_usd: usd.meta({ description: 'Its fees on refunds.' }),
    borne_by_builders_usd: usd.meta({ description: 'The part of these fees that builders bear.' }),
    margin_usd: usd.meta({
      description: 'Platform fees less the fees of the processor that the platform bears. Below 0 is a loss.',
    }),
  })
  .meta({ id: 'FeeMonth' });

export const feesSchema = z
  .object({
    currency,
    months: z.array(feeMonthSchema).meta({ description: 'The months with postings, newest first.' }),
  })
  .meta({ id: 'Fees', description: 'The fees of the payment processor against the fees of the platform, by month.' });

export type Fees = z.infer<typeof feesSchema>;
export type Aging = z.infer<typeof agingSchema>;
export type TrialBalance = z.infer<typeof trialBalanceSchema>;
export type Revenue = z.infer<typeof revenueSchema>;
