import { z } from 'zod';
import { closedObject } from '../forms/closed-object.ts';
import { idSchema } from '../forms/id.ts';
import { listSchema } from '../forms/lists.ts';
import { optional } from '../forms/optional.ts';
import { isoTimeSchema } from '../forms/timestamp.ts';
import { usdAmountSchema } from '../forms/usd-amount.ts';

const usd = z.number().meta({ description: 'US dollars, up to six decimals.' });
const percent = z.int().min(1).max(100).meta({ description: 'A part of the budget in percent.' });
const window = z.enum(['day', 'month']).meta({ description: 'A day or a calendar month, in UTC.' });

export const alertsDefault = [50, 80, 100];

export const putBudgetSchema = closedObject({
  amount_usd: usdAmountSchema,
  window,
  alerts: optional(z.array(percent).max(10)).meta({
    description: 'Each of these parts of the budget raises an alert when it is spent, once per window.',
    default: alertsDefault,
  }),
}).meta({ id: 'BudgetInput', examples: [{ amount_usd: 50, window: 'month', alerts: [50, 80, 100] }] });

export const budgetSchema = z
  .object({
    amount_usd: usd,
    window,
    alerts: z.array(percent),
    spent_usd: usd.meta({ description: 'What the counted calls of this window came to.' }),
    held_usd: usd.meta({ description: 'What is held for calls that are authorized or not counted yet.' }),
    remaining_usd: usd.meta({ description: 'What can still be held; 0 where a lowered budget is exceeded.' }),
    resets_at: isoTimeSchema.meta({ description: 'When this window ends.' }),
  })
  .meta({ id: 'Budget', description: 'What the account may spend in a window, and has spent of it.' });

export const spendingAlertSchema = z
  .object({
    id: idSchema,
    type: z
      .enum([
        'spending.threshold_reached',
        'spending.limit_reached',
        'balance.low',
        'auto_top_up.failed',
        'auto_top_up.limit_reached',
      ])
      .meta({
        description:
          '`spending.limit_reached`: all of a cap is spent. `balance.low`: a balance fell below a threshold.',
      }),
    account_id: idSchema,
    scope: z.enum(['account', 'pass', 'balance', 'auto_top_up']).meta({ description: 'What the cap limits.' }),
    scope_id: idSchema.meta({ description: 'The account or the pass.' }),
    percent: z.int().min(0).max(100).meta({ description: 'The part of the cap that is spent, in percent.' }),
    failure_code: z.string().nullable().meta({ description: 'Why an automatic top-up failed; else null.' }),
    below_usd: usd.nullable().meta({ description: 'The threshold that the balance fell below; else null.' }),
    cap_usd: usd.meta({
      description: 'The amount of the cap. For a balance: what calls may come to that no invoice has billed.',
    }),
    spent_usd: usd,
    window_start: isoTimeSchema.meta({
      description:
        'When the window of the cap began. For a balance: when the threshold was set, or was first seen to be reached again after its last alert.',
    }),
    raised_at: isoTimeSchema,
  })
  .meta({
    id: 'SpendingAlert',
    description:
      'An alert is raised when a part of a cap is spent (once per cap, window and part), when less of a balance can be spent than a threshold, when an automatic top-up fails, and when its monthly limit is reached.',
  });

export const spendingAlertListSchema = listSchema({
  id: 'SpendingAlertList',
  name: 'alerts',
  item: spendingAlertSchema,
});
