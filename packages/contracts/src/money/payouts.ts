import { z } from 'zod';
import { idSchema } from '../forms/id.ts';
import { listSchema, pageQueryShape } from '../forms/lists.ts';
import { periodSchema } from '../forms/period.ts';
import { isoTimeSchema } from '../forms/timestamp.ts';

const ratedUsd = z.number().meta({ description: 'Up to six decimals.' });
const movedUsd = z.number().meta({ description: 'Whole cents, rounded down.' });

const payoutStatusSchema = z.enum(['pending', 'scheduled', 'paid', 'failed']).meta({
  description:
    '`pending`: being calculated until the payout day of the period. `scheduled`: queued for transfer. `paid`: transferred. `failed`: the transfer failed, and the service tries it again.',
});

export const payoutShape = {
  id: idSchema.meta({ description: 'The id does not change, from `pending` on.' }),
  amount_usd: movedUsd.meta({ description: 'Gross: always `net_usd` + `fee_usd`.' }),
  net_usd: movedUsd.meta({
    description:
      'The amount that is transferred. If refunds take a part of a failed payout, it is lowered. For a pending payout it may be below 0, if more was refunded.',
  }),
  fee_usd: movedUsd.meta({ description: 'The platform fee; below 0 if refunds returned more of it.' }),
  status: payoutStatusSchema,
  period: periodSchema,
  paid_at: isoTimeSchema.nullable().meta({ description: 'When the payout was transferred; null until then.' }),
};

const payoutSchema = z.object(payoutShape).meta({ id: 'Payout' });

export const payoutListSchema = listSchema({ id: 'PayoutList', name: 'payouts', item: payoutSchema });

export const payoutQuerySchema = z.object({
  ...pageQueryShape,
  status: payoutStatusSchema.optional().meta({ description: 'Only payouts with this status.' }),
  period: periodSchema.optional().meta({ description: 'Only the payout of this month.' }),
});

const earnedShape = { charge_usd: ratedUsd, earning_usd: ratedUsd, fee_usd: ratedUsd };

const remainderSchema = z.object({ earning_usd: ratedUsd, fee_usd: ratedUsd }).meta({
  id: 'PayoutRemainder',
  description:
    'Less than a cent each, beside what refunds took of a failed payout. For a pending payout they include its own rounding.',
});

const processorFees = ratedUsd.meta({
  description:
    'Fees of the payment processor that the payout bears, if the platform lets builders bear them; else 0. They are taken from `net_usd`.',
});

const attemptShape = {
  number: z.int().min(1).meta({ description: 'The number of the attempt, from 1.' }),
  status: z.enum(['unknown', 'succeeded', 'failed', 'reversed']).meta({
    description:
      '`unknown`: the outcome is looked up at the processor until it is known. `reversed`: the money came back.',
  }),
  amount_usd: movedUsd,
  failure_code: z.string().nullable().meta({ description: 'Why the processor refused the order; null if it did not.' }),
  started_at: isoTimeSchema,
  settled_at: isoTimeSchema.nullable().meta({ description: 'When the outcome became known; null until then.' }),
};

const nextAttempt = isoTimeSchema.nullable().meta({
  description: 'When the next attempt is due. Null once paid, and while a failed payout waits for a payout account.',
});

export const payoutDetailSchema = z
  .object({
    ...payoutShape,
    lines: z
      .array(
        z
          .object({ tool_id: z.string().meta({ description: 'The slug of the tool.' }), ...earnedShape })
          .meta({ id: 'PayoutLine' }),
      )
      .meta({ description: 'One line per tool, less refunds.' }),
    processor_fees_usd: processorFees,
    carried_in: remainderSchema.meta({
      description: 'What earlier payouts left, and what they held back for the refunds in this payout.',
    }),
    carried_out: remainderSchema.meta({
      description:
        'What is left for the next payout: carried in + lines − processor fees − the payout. It includes what was held back for refunds.',
    }),
    next_attempt_at: nextAttempt,
    attempts: z
      .array(z.object(attemptShape).meta({ id: 'PayoutAttempt' }))
      .meta({ description: 'The transfers, oldest first.' }),
  })
  .meta({ id: 'PayoutDetail' });

const statementLineSchema = z
  .object({
    tool_id: z.string().meta({ description: 'The slug of the tool.' }),
    price_id: idSchema.meta({ description: 'The price version that rated it.' }),
    charge: z.int().min(0).meta({ description: 'The place of the charge in its price, from 0.' }),
    name: z.string().nullable().meta({ description: 'The name of the charge; null if it has none.' }),
    type: z.enum(['usage', 'adjustment', 'refund']).meta({
      description: '`adjustment`: counted late and billed later. `refund`: returned to the consumer, below 0.',
    }),
    period: periodSchema.meta({ description: 'The month of the calls.' }),
    day: z.iso
      .date()
      .nullable()
      .meta({ description: 'The day in UTC. Null for an amount that belongs to no single day.' }),
    ...earnedShape,
  })
  .meta({ id: 'StatementLine' });

export const statementSchema = z
  .object({
    period: periodSchema,
    currency: z.literal('usd').meta({ description: 'All amounts are US dollars.' }),
    payout: payoutSchema,
    lines: z.array(statementLineSchema).meta({ description: 'By tool, charge and day.' }),
    ...earnedShape,
    processor_fees_usd: processorFees,
    carried_in: remainderSchema,
    carried_out: remainderSchema,
  })
  .meta({
    id: 'Statement',
    description:
      'The lines of a payout. `charge_usd`, `earning_usd` and `fee_usd` are the sums of the lines. Exactly: `carried_in.earning_usd` + `earning_usd` − `processor_fees_usd` = `payout.net_usd` + `carried_out.earning_usd`, and the same for the fees.',
  });

export const statementQuerySchema = z.object({
  period: periodSchema.optional().meta({ description: 'The month of the payout, in UTC. Default: the current month.' }),
});

export const operatorPayoutSchema = z
  .object({
    ...payoutShape,
    account_id: idSchema.meta({ description: 'The builder.' }),
    next_attempt_at: nextAttempt,
    failures: z.int().min(0).meta({ description: 'Failures in a row; 0 once it is paid.' }),
    failing_since: isoTimeSchema
      .nullable()
      .meta({ description: 'The first of these failures; null if there is none.' }),
  })
  .meta({ id: 'OperatorPayout' });

export const operatorPayoutListSchema = listSchema({
  id: 'OperatorPayoutList',
  name: 'payouts',
  item: operatorPayoutSchema,
});

/** The operator also sees the orders to the processor. */
export const payoutAttemptsSchema = z
  .object({
    payout: operatorPayoutSchema,
    attempts: z.array(
      z
        .object({
          attempt_id: idSchema.meta({ description: 'The id of the attempt.' }),
          ...attemptShape,
          processor: z.string().meta({ description: '`sandbox` or `stripe`.' }),
          processor_account_id: z.string().meta({ description: 'The payout account at the processor.' }),
          object_id: z
            .string()
            .nullable()
            .meta({ description: 'The id of the object at the processor; null until it is known.' }),
          idempotency_key: z.string().meta({ description: 'The key of the order at the processor.' }),
        })
        .meta({ id: 'OperatorPayoutAttempt' }),
    ),
    total: z.int().min(0).meta({ description: 'The number of attempts.' }),
  })
  .meta({ id: 'PayoutAttempts', description: 'All attempts, oldest first.' });

export type PayoutQuery = z.output<typeof payoutQuerySchema>;
export type Payout = z.infer<typeof payoutSchema>;
export type PayoutDetail = z.infer<typeof payoutDetailSchema>;
export type PayoutList = z.infer<typeof payoutListSchema>;
export type Statement = z.infer<typeof statementSchema>;
export type OperatorPayout = z.infer<typeof operatorPayoutSchema>;
export type OperatorPayoutList = z.infer<typeof operatorPayoutListSchema>;
export type PayoutAttempts = z.infer<typeof payoutAttemptsSchema>;
