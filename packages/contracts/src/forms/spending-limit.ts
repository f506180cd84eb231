import { z } from 'zod';
import { isoTimeSchema } from './timestamp.ts';

const usd = z.number().meta({ description: 'US dollars, up to six decimals.' });

/** The cap that a call did not fit into. */
export const spendingLimitSchema = z
  .object({
    scope: z.enum(['account', 'pass', 'call', 'balance', 'allowance']).meta({
      description:
        'What the cap limits. `call`: the `per_call_max_usd` of the pass. `balance`: the balance with the credit limit, less what invoices bill and nothing has paid. `allowance`: what an account without a payment method may owe, with its balance, less the same.',
    }),
    cap_usd: usd,
    spent_usd: usd.meta({
      description:
        'What counted calls of the window came to; of a balance or an allowance, those that no invoice has billed.',
    }),
    held_usd: usd.meta({ description: 'What is held for calls that are authorized or not counted yet.' }),
    needed_usd: usd.meta({ description: 'The most that the refused call can come to.' }),
    resets_at: isoTimeSchema.nullable().meta({
      description: 'When the window ends, and the cap is free again; null where it has no end.',
    }),
  })
  .meta({ id: 'SpendingLimit' });
