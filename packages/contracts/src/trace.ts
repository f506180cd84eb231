import { z } from 'zod';
import { idSchema } from './id.ts';
import { periodSchema } from './period.ts';
import { isoTimeSchema } from './timestamp.ts';

const ratedUsd = z.number().meta({ description: 'Up to six decimals.' });
const movedUsd = z.number().meta({ description: 'Whole cents.' });
const time = isoTimeSchema.nullable();

const acceptedSchema = z
  .object({
    timestamp: isoTimeSchema.meta({ description: 'When the call happened.' }),
    received_at: isoTimeSchema,
    success: z.boolean(),
    duration_ms: z.int().nullable(),
  })
  .meta({ id: 'TraceAccepted' });

const rollupSchema = z
  .object({
    hour: isoTimeSchema.meta({ description: 'When the hour begins.' }),
    tool_id: z.string(),
    consumer_id: idSchema,
    success: z.boolean(),
    calls: z.int().min(1),
    duration_ms: z.int().min(0),
    measures: z.record(z.string(), z.string()).meta({ examples: [{ tokens: '1284' }] }),
  })
  .meta({
    id: 'TraceCounted',
    description: 'The sum that counts it, as it is now: all calls of its hour, tool, consumer and outcome.',
  });

const lineSchema = z
  .object({
    quantity: z.string(),
    charge_usd: ratedUsd,
    adjustment_of: periodSchema.nullable().meta({
      description: 'The closed period for which it was counted late; null for the period of the invoice.',
    }),
  })
  .meta({
    id: 'TraceLine',
    description: 'The whole line that it is in: of the invoice, or of the draft as it would be now.',
  });

const chargeSchema = z
  .object({
    charge: z.int().min(0).meta({ description: 'The place of the charge in its price, from 0.' }),
    name: z.string().nullable(),
    quantity: z.string().meta({ description: 'What this call adds to the line; a decimal.' }),
    unit: z.string().meta({ description: '`calls`, `ms`, or the metadata key that is summed.' }),
    charge_usd: ratedUsd.meta({
      description:
        'What this call comes to, taken as the last of its hour: the line with all calls up to the end of the hour, less the same line without this call. Each of the two is rounded once, as lines are, so of rounded or tiered prices the calls need not add up to the line. 0 within the free quantity; below 0 where it reached a cheaper volume tier.',
    }),
    refunded_usd: ratedUsd.meta({
      description: 'Of what refunds took back of the line, the part that `charge_usd` is of the line, rounded to zero.',
    }),
    line: lineSchema.nullable().meta({ description: 'Null where its charge is not on any line: what is left is 0.' }),
  })
  .meta({ id: 'TraceCharge' });

const ratedSchema = z
  .object({
    price_id: idSchema.meta({ description: 'The price version in force in its hour.' }),
    charge_usd: ratedUsd.meta({ description: 'The sum of the charges.' }),
    not_billed: z.enum(['own_call', 'failed_call', 'nothing_to_charge']).nullable().meta({
      description:
        'Why it is counted and not billed: a call of one’s own tool; a failed call, and the price bills only others; a price that charges nothing this call has. Null where it is billed.',
    }),
    charges: z.array(chargeSchema),
  })
  .meta({ id: 'TraceRated' });

const invoiceNames = {
  id: idSchema.nullable(),
  number: z.int().min(1).nullable(),
  period: periodSchema,
  status: z.enum(['draft', 'open', 'paid', 'past_due', 'uncollectible', 'void']),
};

const invoiceSchema = z
  .object({
    ...invoiceNames,
    total_usd: movedUsd.nullable().meta({ description: 'What it bills in all; null of a draft.' }),
    issued_at: time,
    due_at: time,
  })
  .meta({
    id: 'TraceInvoice',
    description:
      'Where a month has lines of the same price on several invoices, because some calls were counted late, the first.',
  });

const paymentSchema = z
  .object({
    status: z.enum(['nothing_to_pay', 'waiting', 'paid', 'uncollectible', 'void']),
    paid_at: time,
    waits_for: z
      .enum(['period_close', 'next_invoice', 'payment_method', 'collection', 'outcome', 'retry', 'payment'])
      .nullable()
      .meta({
        description:
          '`period_close`: the invoice; `next_invoice`: it was below the minimum and is carried into the next; `payment_method`: there is none, or another one after the last was declined for good; `collection`: it is due to be charged; `outcome`: a charge was ordered, and what came of it is being looked up; `retry`: it was declined and is tried again. Builders are told only `period_close` and `payment`: the rest is between the consumer and the platform.',
      }),
    next_at: time.meta({
      description: 'When that is, if it is known; a period does not close before it, and not before all is counted.',
    }),
    failure_code: z.string().nullable().meta({ description: 'Why the last charge failed.' }),
    collected_by: z
      .object(invoiceNames)
      .meta({ id: 'TraceCollectedBy' })
      .nullable()
      .meta({ description: 'The invoice that collects it: its own, or the one that it was carried into.' }),
    refunded_usd: movedUsd.nullable().meta({ description: 'What that invoice gave back in all.' }),
  })
  .meta({ id: 'TracePayment' });

const earningSchema = z
  .object({
    status: z.enum(['expected', 'released', 'written_off']).meta({
      description: 'Released once the consumer has paid; written off while the invoice is uncollectible or void.',
    }),
    released_at: time,
    earning_usd: ratedUsd.nullable().meta({ description: '`charge_usd` less `fee_usd`, exactly.' }),
    fee_usd: ratedUsd.nullable().meta({
      description:
        'Released: of each line’s fee, the part that the call’s charge is of the line, rounded to zero. Expected: what the fee on the call would be if it alone was released now. Null where it is written off.',
    }),
  })
  .meta({ id: 'TraceEarning' });

const payoutSchema = z
  .object({
    status: z.enum(['waiting', 'scheduled', 'paid', 'failed']),
    id: idSchema.nullable().meta({ description: 'Of the payout that took it; null until one has.' }),
    period: periodSchema.nullable().meta({ description: 'Of the payout: it takes what was collected until its day.' }),
    paid_at: time,
    waits_for: z
      .enum(['payment', 'payout_day', 'payout_account', 'minimum', 'transfer', 'outcome', 'retry'])
      .nullable()
      .meta({
        description:
          '`payment`: the consumer’s; `payout_day`: the next one; `payout_account`: none is connected that takes payouts; `minimum`: too little is payable yet; `transfer`: it is queued; `outcome`: a transfer was ordered, and what came of it is being looked up; `retry`: it failed and is tried again.',
      }),
    next_at: time.meta({
      description: 'When that is, if it is known. A payout day is not before its period is closed.',
    }),
    failure_code: z.string().nullable().meta({ description: 'Why the last transfer failed.' }),
  })
  .meta({ id: 'TracePayout' });

export const traceSchema = z
  .object({
    event_id: idSchema,
    tool_id: z.string(),
    consumer_id: idSchema,
    accepted: acceptedSchema,
    counted: rollupSchema,
    rated: ratedSchema,
    invoice: invoiceSchema
      .nullable()
      .meta({ description: 'For its consumer. Null for others, and if it is not billed.' }),
    payment: paymentSchema,
    earning: earningSchema
      .nullable()
      .meta({ description: 'For the builder of its tool. Null for others, and if it is not billed.' }),
    payout: payoutSchema
      .nullable()
      .meta({ description: 'For the builder of its tool. Null for others, and where there is nothing to pay out.' }),
  })
  .meta({
    id: 'Trace',
    description: 'One call from its receipt to the payout, as far as it has come, and what it waits for.',
  });

export type Trace = z.infer<typeof traceSchema>;
