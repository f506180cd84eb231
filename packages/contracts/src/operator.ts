import { z } from 'zod';
import { accountSchema, emailSchema } from './accounts.ts';
import { idSchema } from './id.ts';
import { listSchema, pageQueryShape } from './lists.ts';
import { periodSchema } from './period.ts';
import { isoTimeSchema } from './timestamp.ts';

export const accountQuerySchema = z.object({
  ...pageQueryShape,
  email: emailSchema.optional().meta({ description: 'Only the account with this e-mail.' }),
});

export const accountListSchema = listSchema({ id: 'AccountList', name: 'accounts', item: accountSchema });

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

export type PeriodStatus = z.infer<typeof periodStatusSchema>;
