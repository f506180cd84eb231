import { z } from 'zod';
import { accountSchema, emailSchema } from './accounts.ts';
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
    ends_at: isoTimeSchema.meta({ description: 'Not included.' }),
    counted_through: isoTimeSchema.meta({
      description: 'The watermark: every event acknowledged with `received_at` before it is counted.',
    }),
    final_through: isoTimeSchema.meta({
      description: 'Hours that ended by then are final: no event of theirs is accepted any more, and all are counted.',
    }),
    closable_at: isoTimeSchema.meta({ description: 'What `counted_through` must reach for the period to close.' }),
    closable: z.boolean().meta({ description: 'Whether it has: every hour of the period is final.' }),
  })
  .meta({ id: 'PeriodStatus' });

export type PeriodStatus = z.infer<typeof periodStatusSchema>;
