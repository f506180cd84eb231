import { z } from 'zod';
import { idSchema } from '../forms/id.ts';
import { periodSchema } from '../forms/period.ts';
import type { Route } from '../routes/route.ts';

export const reconcileQuerySchema = z.object({
  period: periodSchema,
  account: idSchema.optional().meta({ description: 'Only usage and earnings of this account.' }),
  keys: z
    .literal('all')
    .optional()
    .meta({ description: 'Compares the key of every kept event. By default a sample of each day.' }),
});

const sideSchema = z.object({
  what: z.string().meta({ description: 'The name of the compared rows.' }),
  count: z.int().min(0).meta({ description: 'The number of rows.' }),
  sum: z.string().meta({ description: 'A decimal, in the unit of the step.' }),
});

const stepSchema = z
  .object({
    name: z
      .enum([
        'events_rollups',
        'events_keys',
        'rollups_lines',
        'lines_ledger',
        'ledger_processor',
        'caps_usage',
        'grants_calls',
        'rollups_seals',
        'own_payouts',
        'inbox_events',
        'cash_balance',
      ])
      .meta({
        description:
          'The two sides of the comparison. `rollups_seals` compares usage with what the close has sealed. `own_payouts` are those of the platform’s own balance to its bank. `inbox_events` compares the webhooks that arrived with the processor’s own list of events. `cash_balance` is of all time. All four say nothing about one account.',
      }),
    unit: z.enum(['calls', 'usd', 'events']).meta({ description: 'The unit of the sums.' }),
    equal: z.boolean().meta({ description: 'Whether both sides agree.' }),
    left: sideSchema,
    right: sideSchema,
    differing: z.int().min(0).meta({ description: 'The number of rows that differ.' }),
    rows: z.array(z.string()).meta({ description: 'The first rows that differ, in words.' }),
    note: z
      .string()
      .nullable()
      .meta({ description: 'A part that could not be compared, and why; null if there is none.' }),
  })
  .meta({ id: 'ReconcileStep' });

export const reconciliationSchema = z
  .object({
    period: periodSchema,
    account_id: idSchema.nullable().meta({ description: 'Null: all accounts.' }),
    equal: z.boolean().meta({ description: 'Whether all steps are equal.' }),
    steps: z.array(stepSchema).meta({ description: 'From the events to the processor.' }),
  })
  .meta({ id: 'Reconciliation' });

export type Reconciliation = z.infer<typeof reconciliationSchema>;

export const reconcileRoutes: readonly Route[] = [
  {
    access: 'operator',
    tag: 'Operator',
    service: 'billing',
    operationId: 'reconcile',
    method: 'GET',
    path: '/v1/operator/reconcile',
    summary: 'Reconcile a period from its events to the processor',
    isExport: true,
    description:
      'Compares events, rollups, lines, ledger and processor, then spending caps with their usage and holds, and at last the cash with the balance at the processor. Each step shows both counts, both sums and the rows that differ. Money that is on its way at this moment may differ; a later request shows it as equal.',
    query: reconcileQuerySchema,
    responses: { 200: { description: 'The comparison, equal or not.', schema: reconciliationSchema } },
    errors: ['processor_refused', 'processor_unavailable'],
  },
];
