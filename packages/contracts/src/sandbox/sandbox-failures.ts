import { z } from 'zod';
import { closedObject } from '../forms/closed-object.ts';
import { idSchema } from '../forms/id.ts';
import { optional } from '../forms/optional.ts';
import { isoTimeSchema } from '../forms/timestamp.ts';

const timesMax = 1_000;

const onSchema = z.enum(['charge', 'refund', 'transfer']).meta({
  description:
    '`charge`: money from a consumer. `refund`: money back to a consumer. `transfer`: a payout to a builder.',
});

const failureSchema = z
  .enum([
    'decline',
    'timeout_before_effect',
    'timeout_after_effect',
    'delay',
    'expired_card',
    'authentication_required',
    'insufficient_funds',
    'reverse_later',
  ])
  .meta({
    description:
      '`decline`: the order is refused. `timeout_before_effect`: no answer, and no money moves. `timeout_after_effect`: no answer, and the money moves. `delay`: the money moves, and the answer comes after 5 s. Only for charges: `expired_card` and `authentication_required`, with which the bank refuses until the consumer sets up or confirms a card. Only for transfers: `insufficient_funds`: the platform’s balance is too small; `reverse_later`: the transfer succeeds and is reversed an hour later.',
  });

const ofChargesAlone: ReadonlySet<string> = new Set(['expired_card', 'authentication_required']);
const ofTransfersAlone: ReadonlySet<string> = new Set(['insufficient_funds', 'reverse_later']);

export const failureScriptSchema = closedObject({
  on: onSchema,
  failure: failureSchema,
  times: optional(z.int().min(1).max(timesMax)).meta({ description: 'The number of orders that fail. Default: 1.' }),
  invoice_id: optional(idSchema).meta({ description: 'Only with charges or refunds of this invoice.' }),
  payout_id: optional(idSchema).meta({ description: 'Only with transfers of this payout.' }),
})
  .check(({ value, issues }) => {
    const isTransfer = value.on === 'transfer';
    const refuse = (field: keyof typeof value, message: string) =>
      issues.push({ code: 'custom', path: [field], input: value, message, params: { code: 'invalid_value' } });
    if (!isTransfer && ofTransfersAlone.has(value.failure)) refuse('failure', 'can go wrong with transfers alone');
    if (value.on !== 'charge' && ofChargesAlone.has(value.failure))
      refuse('failure', 'can go wrong with charges alone');
    if (isTransfer && value.invoice_id !== undefined) refuse('invoice_id', 'a transfer is of a payout');
    if (!isTransfer && value.payout_id !== undefined) refuse('payout_id', 'only a transfer is of a payout');
  })
  .meta({ id: 'SandboxFailureScript', examples: [{ on: 'charge', failure: 'decline', times: 1 }] });

export const scriptedFailureSchema = z
  .object({
    id: idSchema.meta({ description: 'The id of the failure.' }),
    on: onSchema,
    failure: failureSchema,
    times: z.int().min(1).meta({ description: 'The number of orders that still will fail.' }),
    invoice_id: idSchema.nullable().meta({ description: 'Null: orders of any invoice.' }),
    payout_id: idSchema.nullable().meta({ description: 'Null: orders of any payout.' }),
    created_at: isoTimeSchema,
  })
  .meta({ id: 'SandboxFailure' });

export const scriptedFailuresSchema = z
  .object({
    failures: z.array(scriptedFailureSchema),
    total: z.int().min(0).meta({ description: 'The number of failures.' }),
  })
  .meta({ id: 'SandboxFailureList', description: 'Failures that no order has taken yet, the oldest first.' });

export type FailureScript = z.output<typeof failureScriptSchema>;
export type ScriptedFailure = z.infer<typeof scriptedFailureSchema>;
