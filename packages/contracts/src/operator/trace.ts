import { z } from 'zod';
import { idSchema } from '../forms/id.ts';
import { periodSchema } from '../forms/period.ts';
import { isoTimeSchema } from '../forms/timestamp.ts';
import type { Route } from '../routes/route.ts';

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
    description: 'The current sum that contains the call: all calls of its hour, tool, consumer and outcome.',
  });

const lineSchema = z
  .object({
    quantity: z.string(),
    charge_usd: ratedUsd,
    adjustment_of: periodSchema.nullable().meta({
      description: 'The closed period of a call that was counted late; null for the period of the invoice.',
    }),
  })
  .meta({
    id: 'TraceLine',
    description: 'The whole line that contains the call: of the invoice, or of the current draft.',
  });

const chargeSchema = z
  .object({
    charge: z.int().min(0).meta({ description: 'The place of the charge in its price, from 0.' }),
    name: z.string().nullable(),
    quantity: z.string().meta({ description: 'The quantity that this call adds to the line; a decimal.' }),
    unit: z.string().meta({ description: '`calls`, `ms`, or the metadata key that is summed.' }),
    charge_usd: ratedUsd.meta({
      description:
        'The charge of this call, taken as the last call of its hour. It is the line with all calls up to the end of the hour, less the same line without this call. Each of the two is rounded once, as lines are, so with rounded or tiered prices the calls need not add up to the line. It is 0 within the free quantity, and below 0 where the call reached a cheaper volume tier.',
    }),
    refunded_usd: ratedUsd.meta({
      description: 'The call’s share of the refunds of the line, in proportion to `charge_usd`, rounded towards zero.',
    }),
    line: lineSchema.nullable().meta({ description: 'Null if its charge is on no line, since 0 is left.' }),
  })
  .meta({ id: 'TraceCharge' });

const ratedSchema = z
  .object({
    price_id: idSchema.meta({ description: 'The price version that was in force in the hour of the call.' }),
    charge_usd: ratedUsd.meta({ description: 'The sum of the charges.' }),
    not_billed: z.enum(['own_call', 'failed_call', 'nothing_to_charge']).nullable().meta({
      description:
        'Why the call is counted but not billed. `own_call`: the consumer owns the tool. `failed_call`: the price does not bill failed calls. `nothing_to_charge`: no charge of the price applies. Null if it is billed.',
    }),
    charges: z.array(chargeSchema),
  })
  .meta({ id: 'TraceRated' });

const invoiceNames = {
  id: idSchema.nullable(),
  number: z.int().min(1).nullable(),
  period: periodSchema,
  status: z.enum(['draft', 'open', 'paid', 'carried', 'past_due', 'uncollectible', 'void']),
};

const invoiceSchema = z
  .object({
    ...invoiceNames,
    total_usd: movedUsd.nullable().meta({ description: 'The billed amount of the invoice; null for a draft.' }),
    issued_at: time,
    due_at: time,
  })
  .meta({
    id: 'TraceInvoice',
    description: 'If late calls put lines of the same price and month on several invoices, this is the first invoice.',
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
          'The reason why it waits. `period_close`: there is no invoice yet. `next_invoice`: the invoice was below the minimum and is carried into the next invoice. `payment_method`: there is none, or the last charge of it was declined for good. `collection`: the charge is due. `outcome`: a charge was ordered, and its outcome is being looked up. `retry`: the charge was declined and is tried again. Builders see only `period_close` and `payment`.',
      }),
    next_at: time.meta({
      description:
        'When the wait ends, if that is known. A period does not close before this time, nor before everything is counted.',
    }),
    failure_code: z.string().nullable().meta({ description: 'Why the last charge failed.' }),
    collected_by: z
      .object(invoiceNames)
      .meta({ id: 'TraceCollectedBy' })
      .nullable()
      .meta({ description: 'The invoice that collects the charge: its own, or the one into which it was carried.' }),
    refunded_usd: movedUsd.nullable().meta({ description: 'The total refunds of that invoice.' }),
  })
  .meta({ id: 'TracePayment' });

const earningSchema = z
  .object({
    status: z.enum(['expected', 'released', 'written_off']).meta({
      description: '`released`: the consumer has paid. `written_off`: the invoice is uncollectible or void.',
    }),
    released_at: time,
    earning_usd: ratedUsd.nullable().meta({ description: '`charge_usd` less `fee_usd`, exactly.' }),
    fee_usd: ratedUsd.nullable().meta({
      description:
        'If released: the call’s share of the fee of each line, in proportion to its charge, rounded towards zero. If expected: the fee if only this call was released now. Null if it is written off.',
    }),
  })
  .meta({ id: 'TraceEarning' });

const payoutSchema = z
  .object({
    status: z.enum(['waiting', 'scheduled', 'paid', 'failed']),
    id: idSchema.nullable().meta({ description: 'The payout that contains the earning; null until there is one.' }),
    period: periodSchema.nullable().meta({
      description: 'The period of the payout, which contains the money that was collected until its payout day.',
    }),
    paid_at: time,
    waits_for: z
      .enum(['payment', 'payout_day', 'payout_account', 'minimum', 'transfer', 'outcome', 'retry'])
      .nullable()
      .meta({
        description:
          'The reason why it waits. `payment`: the consumer has not paid yet. `payout_day`: the next payout day. `payout_account`: no account that can receive payouts is connected. `minimum`: too little is payable yet. `transfer`: the payout is queued. `outcome`: a transfer was ordered, and its outcome is being looked up. `retry`: the transfer failed and is tried again.',
      }),
    next_at: time.meta({
      description: 'When the wait ends, if that is known. A payout day is never before its period is closed.',
    }),
    failure_code: z.string().nullable().meta({ description: 'Why the last transfer failed.' }),
  })
  .meta({ id: 'TracePayout' });

export const traceSchema = z
  .object({
    event_id: idSchema,
    tool_id: z.string(),
    consumer_id: idSchema,
    pass_id: idSchema.nullable().meta({
      description:
        'The pass that paid for the call. Only for the consumer; null for others, and for a call without one.',
    }),
    accepted: acceptedSchema,
    counted: rollupSchema,
    rated: ratedSchema,
    invoice: invoiceSchema
      .nullable()
      .meta({ description: 'Only for the consumer. Null for others, and if the call is not billed.' }),
    payment: paymentSchema,
    earning: earningSchema
      .nullable()
      .meta({ description: 'Only for the builder of the tool. Null for others, and if the call is not billed.' }),
    payout: payoutSchema
      .nullable()
      .meta({ description: 'Only for the builder of the tool. Null for others, and if there is nothing to pay out.' }),
  })
  .meta({
    id: 'Trace',
    description: 'A call from its receipt to its payout, as far as it has come, with the reason why it waits.',
  });

export type Trace = z.infer<typeof traceSchema>;

export const traceRoutes: readonly Route[] = [
  {
    service: 'billing',
    tag: 'Events',
    access: 'account',
    operationId: 'traceEvent',
    method: 'GET',
    path: '/v1/events/{event_id}/trace',
    summary: 'Trace an event to its invoice and payout',
    description:
      'The consumer sees the charge and its payment. The builder of the tool sees the earning and its payout. An event that is not counted, not counted yet or no longer kept is 404 with `counted_through`; `detail` says which, if that is known.',
    params: z.object({ event_id: idSchema }),
    responses: { 200: { description: 'The trace so far.', schema: traceSchema } },
    errors: ['event_not_found'],
  },
];
