import { z } from 'zod';
import { closedObject } from './closed-object.ts';
import { idSchema } from './id.ts';
import { isoTimeSchema } from './timestamp.ts';
import { usdAmountSchema } from './usd-amount.ts';

export const refundOrderSchema = closedObject({ amount_usd: usdAmountSchema }).meta({
  id: 'RefundOrder',
  examples: [{ amount_usd: 12.5 }],
});

export const refundSchema = z
  .object({
    id: idSchema.meta({ description: 'The id of the refund.' }),
    invoice_id: idSchema.meta({ description: 'The refunded invoice.' }),
    amount_usd: z.number().meta({ description: 'Whole cents.' }),
    cause: z.enum(['operator', 'dispute', 'processor', 'reinstated']).meta({
      description:
        '`dispute`: the consumer’s bank took the money back. `processor`: it was refunded at the payment processor by hand. `reinstated`: a lost dispute was won after all, so its money came back, and the amount is below zero.',
    }),
    status: z.enum(['pending', 'succeeded', 'failed']).meta({
      description: '`pending`: the outcome at the processor is not known yet, and is looked up until it is known.',
    }),
    failure_code: z
      .string()
      .nullable()
      .meta({ description: 'Why the processor refused the order; null if it did not.' }),
    created_at: isoTimeSchema,
    succeeded_at: isoTimeSchema.nullable().meta({ description: 'When the money went back; null until then.' }),
  })
  .meta({ id: 'Refund' });

export const refundListSchema = z
  .object({ refunds: z.array(refundSchema), total: z.int().min(0).meta({ description: 'The number of refunds.' }) })
  .meta({ id: 'RefundList', description: 'All refunds of one invoice, newest first.' });
