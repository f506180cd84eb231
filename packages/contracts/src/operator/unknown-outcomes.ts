import { z } from 'zod';
import { idSchema } from '../forms/id.ts';
import { listSchema, pageQuerySchema } from '../forms/lists.ts';
import { isoTimeSchema } from '../forms/timestamp.ts';
import type { Route } from '../routes/route.ts';

const orderKinds = ['charge', 'refund', 'transfer'] as const;

const idOf = (what: string) => idSchema.nullable().meta({ description: `The ${what}; null if it is of none.` });

const unknownOutcomeSchema = z
  .object({
    attempt_id: idSchema.meta({ description: 'The id of the order.' }),
    kind: z.enum(orderKinds).meta({
      description: '`charge`: of an invoice or a top-up. `refund`: of one of these. `transfer`: a payout.',
    }),
    account_id: idOf('consumer or builder'),
    invoice_id: idOf('invoice that is charged or refunded'),
    payout_id: idOf('payout that is transferred'),
    amount_usd: z.number().meta({ description: 'Whole cents.' }),
    processor: z.string().meta({ description: '`sandbox` or `stripe`.' }),
    started_at: isoTimeSchema.meta({ description: 'When it was stored, before it was sent.' }),
    look_at: isoTimeSchema.nullable().meta({ description: 'When its outcome is looked up next.' }),
  })
  .meta({ id: 'UnknownOutcome', description: 'An order to the processor whose outcome is not known.' });

export const unknownOutcomeRoutes: readonly Route[] = [
  {
    service: 'billing',
    access: 'operator',
    tag: 'Operator',
    operationId: 'listUnknownOutcomes',
    method: 'GET',
    path: '/v1/operator/unknown-outcomes',
    summary: 'List orders of unknown outcome',
    description:
      'Orders to the processor that had no answer, oldest first. Each is looked up until its outcome is known, and its money counts as neither moved nor not moved until then.',
    query: pageQuerySchema,
    responses: {
      200: {
        description: 'A page of orders.',
        schema: listSchema({
          id: 'UnknownOutcomeList',
          name: 'orders',
          item: unknownOutcomeSchema,
          order: 'oldest first',
        }),
      },
    },
    errors: [],
  },
];
