import { z } from 'zod';
import { closedObject } from '../forms/closed-object.ts';
import { idSchema } from '../forms/id.ts';
import { listSchema } from '../forms/lists.ts';
import { optional } from '../forms/optional.ts';
import { textSchema } from '../forms/text-schema.ts';
import { isoTimeSchema, timestampSchema } from '../forms/timestamp.ts';
import { usdAmountSchema } from '../forms/usd-amount.ts';

const usd = z.number().meta({ description: 'US dollars, up to six decimals.' });
const wholeCents = z.number().meta({ description: 'Whole cents.' });

export const ownCreditShape = {
  id: idSchema.meta({ description: 'The id of the credit.' }),
  amount_usd: wholeCents,
  left_usd: wholeCents.meta({ description: 'The part that is not spent yet.' }),
  effective_from: isoTimeSchema.nullable().meta({
    description:
      'The credit pays for calls from this time on, from the full hour; null for a top-up, which pays for calls of any time.',
  }),
  expires_at: isoTimeSchema.nullable().meta({
    description:
      'The credit pays for calls until this time, to the full hour, also when they are invoiced later; the rest is taken back when all of them are counted. Money that comes back to it may be used for 30 days. Null: never.',
  }),
  top_up_id: idSchema
    .nullable()
    .meta({ description: 'The top-up that this credit comes from; null if the operator granted it.' }),
  created_at: isoTimeSchema,
};

const ownCreditSchema = z.object(ownCreditShape).meta({ id: 'OwnCredit' });

/** In cents. */
const topUpBounds = { least: 100n, most: 1_000_000n };

const topUpAmountSchema = usdAmountSchema
  .check(({ value, issues }) => {
    if (value >= topUpBounds.least && value <= topUpBounds.most) return;
    const message = 'must be from 1 to 10,000 dollars';
    issues.push({ code: 'custom', input: value, message, params: { code: 'out_of_range' } });
  })
  .meta({
    type: 'number',
    minimum: 1,
    maximum: 10_000,
    description: 'US dollars, at most two decimals.',
    examples: [50],
  });

export const autoTopUpInputSchema = closedObject({
  below_usd: usdAmountSchema,
  amount_usd: topUpAmountSchema,
  monthly_max_usd: usdAmountSchema,
})
  .check(({ value, issues }) => {
    if (value.monthly_max_usd >= value.amount_usd) return;
    const message = 'must be at least `amount_usd`';
    issues.push({
      code: 'custom',
      path: ['monthly_max_usd'],
      input: value,
      message,
      params: { code: 'invalid_value' },
    });
  })
  .meta({ id: 'AutoTopUpInput', examples: [{ below_usd: 10, amount_usd: 50, monthly_max_usd: 200 }] });

export const autoTopUpSchema = z
  .object({
    below_usd: wholeCents.meta({
      description:
        'A top-up is charged when the balance, less what calls came to since the last invoice, is below this.',
    }),
    amount_usd: wholeCents,
    monthly_max_usd: wholeCents.meta({ description: 'The most per calendar month, in UTC.' }),
    month_usd: wholeCents.meta({ description: 'The sum of the automatic top-ups of this month.' }),
    failure_code: z
      .string()
      .nullable()
      .meta({ description: 'Why the last automatic top-up failed; null if it did not.' }),
    retry_at: isoTimeSchema.nullable().meta({
      description: 'When a failed top-up is tried again, unless a new payment method comes before.',
    }),
  })
  .meta({ id: 'AutoTopUp' });

const unbound = 'Null if the balance does not limit calls.';

export const balanceSchema = z
  .object({
    currency: z.literal('usd'),
    balance_usd: wholeCents.meta({ description: 'The money that pays invoices before a card does.' }),
    held_usd: usd.meta({
      description:
        'What nothing else can spend now: top-ups whose dispute is open, credits that have expired, as far as no calls were laid on them, and, where the balance limits calls, what is held for those that are authorized or not counted yet.',
    }),
    owed_usd: usd.nullable().meta({
      description: `What is invoiced and not paid, and what the last invoice carries to the next. ${unbound}`,
    }),
    unbilled_usd: usd
      .nullable()
      .meta({ description: `What the calls came to that no invoice has billed yet. ${unbound}` }),
    credit_limit_usd: usd.nullable().meta({ description: `How far calls may exceed the balance. ${unbound}` }),
    available_usd: usd.meta({
      description:
        'What can be spent: the balance, less what is held, owed and unbilled, and the credit limit. A call that can come to more is refused. Below 0 where more is owed. Where the balance does not limit calls: the balance, less what is held.',
    }),
    auto_top_up: autoTopUpSchema.nullable().meta({ description: 'Null if there is no automatic top-up.' }),
    alerts_below_usd: z.array(wholeCents).meta({
      description: 'Thresholds, the highest first: an alert is raised when less than one of them can be spent.',
    }),
    credits: z.array(ownCreditSchema).meta({
      description:
        'The credits that have something left, in the order in which they are spent: grants before top-ups, the soonest to expire first.',
    }),
  })
  .meta({ id: 'Balance' });

export const balanceAlertsInputSchema = closedObject({
  below_usd: z.array(usdAmountSchema).max(10).meta({ description: 'An empty list raises no alerts.' }),
}).meta({ id: 'BalanceAlertsInput', examples: [{ below_usd: [20, 5] }] });

export const balanceAlertsSchema = z
  .object({ below_usd: z.array(wholeCents).meta({ description: 'The highest first.' }) })
  .meta({ id: 'BalanceAlerts' });

export const creditOrderSchema = closedObject({
  amount_usd: usdAmountSchema,
  reason: textSchema({ min: 1, max: 500 }).meta({ description: 'The reason. Only the operator sees it.' }),
  effective_from: optional(timestampSchema).meta({
    description: 'The credit pays for calls from this time on, which may be in the past. Default: now.',
  }),
  expires_at: optional(timestampSchema).meta({
    description: 'The credit pays for calls until this time, also when they are invoiced later. Default: for ever.',
  }),
}).meta({ id: 'CreditOrder', examples: [{ amount_usd: 25, reason: 'welcome' }] });

export const creditSchema = z
  .object({
    ...ownCreditShape,
    account_id: idSchema.meta({ description: 'The consumer whose balance it is on.' }),
    reason: z.string().meta({ description: 'Why it was granted.' }),
  })
  .meta({ id: 'Credit' });

export const creditListSchema = z
  .object({ credits: z.array(creditSchema), total: z.int().min(0).meta({ description: 'The number of credits.' }) })
  .meta({ id: 'CreditList', description: 'All credits of one account, newest first.' });

export const topUpOrderSchema = closedObject({ amount_usd: topUpAmountSchema }).meta({
  id: 'TopUpOrder',
  examples: [{ amount_usd: 50 }],
});

export const topUpSchema = z
  .object({
    id: idSchema.meta({ description: 'The id of the top-up.' }),
    currency: z.literal('usd'),
    amount_usd: wholeCents,
    status: z.enum(['pending', 'succeeded', 'failed']).meta({
      description:
        '`pending`: the payment processor has not said the outcome; it is asked again until it has. `failed`: nothing was charged; order another one.',
    }),
    failure_code: z.string().nullable().meta({ description: 'Why the charge failed, in the processor’s words.' }),
    is_automatic: z.boolean().meta({ description: 'Whether it was an automatic top-up.' }),
    created_at: isoTimeSchema,
    succeeded_at: isoTimeSchema.nullable().meta({ description: 'When the money came onto the balance.' }),
  })
  .meta({ id: 'TopUp' });

export const topUpListSchema = listSchema({ id: 'TopUpList', name: 'top_ups', item: topUpSchema });

const creditLimitSchema = z
  .union([z.literal(0).transform(() => 0n), usdAmountSchema])
  .nullable()
  .meta({
    type: ['number', 'null'],
    minimum: 0,
    description: 'How far calls may exceed the balance, at most two decimals; null: there is no such bound.',
  });

export const creditLimitInputSchema = closedObject({ credit_limit_usd: creditLimitSchema }).meta({
  id: 'CreditLimitInput',
  examples: [{ credit_limit_usd: 100 }],
});

export const creditLimitShownSchema = z
  .object({
    account_id: idSchema,
    credit_limit_usd: wholeCents.nullable().meta({ description: 'Whole cents. Null: there is no such bound.' }),
  })
  .meta({ id: 'CreditLimit' });

export type AutoTopUp = z.infer<typeof autoTopUpSchema>;
export type Balance = z.infer<typeof balanceSchema>;
export type CreditList = z.infer<typeof creditListSchema>;
export type TopUp = z.infer<typeof topUpSchema>;
export type TopUpList = z.infer<typeof topUpListSchema>;
