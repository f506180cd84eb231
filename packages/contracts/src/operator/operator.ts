import { z } from 'zod';
import { accountSchema, emailSchema } from '../accounts/accounts.ts';
import { closedObject } from '../forms/closed-object.ts';
import { idSchema } from '../forms/id.ts';
import { listSchema, pageQueryShape } from '../forms/lists.ts';
import { periodSchema } from '../forms/period.ts';
import { textSchema } from '../forms/text-schema.ts';
import { isoTimeSchema } from '../forms/timestamp.ts';

export const accountQuerySchema = z.object({
  ...pageQueryShape,
  email: emailSchema.optional().meta({ description: 'Only the account with this e-mail.' }),
  status: z.enum(['active', 'suspended']).optional().meta({
    description: 'Only accounts that are, or are not, suspended.',
  }),
});

/** An account as the operator sees it. */
export const operatorAccountSchema = accountSchema
  .omit({ operator: true })
  .extend({
    suspension: z
      .object({ reason: z.string(), suspended_at: isoTimeSchema })
      .nullable()
      .meta({ description: 'Why and since when the account is suspended; null if it is not.' }),
  })
  .meta({ id: 'OperatorAccount' });

export type OperatorAccount = z.infer<typeof operatorAccountSchema>;

export const suspendAccountSchema = closedObject({
  reason: textSchema({ min: 1, max: 500 }).meta({
    description: 'The reason. Only the operator sees it.',
    examples: ['stolen card, case 4711'],
  }),
}).meta({ id: 'AccountSuspend', examples: [{ reason: 'stolen card, case 4711' }] });

export const endedCredentialsSchema = z
  .object({ ended: z.int().min(0).meta({ description: 'The number of credentials that were ended.' }) })
  .meta({ id: 'EndedCredentials' });

export const accountListSchema = listSchema({ id: 'AccountList', name: 'accounts', item: operatorAccountSchema });

export const periodStatusSchema = z
  .object({
    period: periodSchema,
    starts_at: isoTimeSchema,
    ends_at: isoTimeSchema.meta({ description: 'The end of the period, not included.' }),
    counted_through: isoTimeSchema.meta({
      description: 'The watermark: every acknowledged event with `received_at` before this time is counted.',
    }),
    final_through: isoTimeSchema.meta({
      description:
        'Hours that ended by this time are final: all of their events are counted, and new ones are refused.',
    }),
    closable_at: isoTimeSchema.meta({
      description: 'The time that `counted_through` must reach before the period can close.',
    }),
    closable: z.boolean().meta({ description: 'Whether the period can close: all of its hours are final.' }),
  })
  .meta({ id: 'PeriodStatus' });

export const unclosedConsumerSchema = z
  .object({
    account_id: idSchema,
    period: periodSchema.meta({ description: 'The first period that the consumer has no invoice of.' }),
    reason: z.string().meta({ description: 'The error of the last attempt.' }),
    failures: z.int().min(1).meta({ description: 'How many attempts have failed.' }),
    set_aside_at: isoTimeSchema.meta({ description: 'When the first attempt failed.' }),
    retry_at: isoTimeSchema.meta({ description: 'When the next attempt is due.' }),
  })
  .meta({ id: 'UnclosedConsumer' });

export type UnclosedConsumer = z.infer<typeof unclosedConsumerSchema>;

export const unclosedConsumerListSchema = listSchema({
  id: 'UnclosedConsumerList',
  name: 'consumers',
  item: unclosedConsumerSchema,
});

export const usageAlertSchema = z
  .object({
    id: idSchema,
    account_id: idSchema.meta({ description: 'The consumer.' }),
    tool_id: z.string().meta({ description: 'The slug of the tool.' }),
    day: z.string().meta({ description: 'The UTC day on which the 24 hours ended.', examples: ['2026-11-21'] }),
    calls: z.string().meta({ description: 'Calls within 24 hours.', examples: ['120000'] }),
    usual_calls: z.string().meta({ description: 'Calls per day in the 28 days before.', examples: ['310.5'] }),
    raised_at: isoTimeSchema.meta({ description: 'When it was noticed.' }),
  })
  .meta({ id: 'UsageAlert' });

export type UsageAlert = z.infer<typeof usageAlertSchema>;

export const usageAlertListSchema = listSchema({ id: 'UsageAlertList', name: 'alerts', item: usageAlertSchema });

export type PeriodStatus = z.infer<typeof periodStatusSchema>;
