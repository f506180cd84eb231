import { z } from 'zod';
import { idSchema } from './id.ts';
import { periodSchema } from './period.ts';

export const reconcileQuerySchema = z.object({
  period: periodSchema,
  account: idSchema.optional().meta({ description: 'Only usage and earnings of this account.' }),
});

const sideSchema = z.object({
  what: z.string(),
  count: z.int().min(0),
  sum: z.string().meta({ description: 'A decimal, in the unit of the step.' }),
});

const stepSchema = z
  .object({
    name: z.enum(['events_rollups', 'rollups_lines', 'lines_ledger', 'ledger_processor']),
    unit: z.enum(['calls', 'usd']),
    equal: z.boolean(),
    left: sideSchema,
    right: sideSchema,
    differing: z.int().min(0).meta({ description: 'The number of rows that differ.' }),
    rows: z.array(z.string()).meta({ description: 'The first rows that differ, in words.' }),
    note: z.string().nullable().meta({ description: 'A part that could not be compared, and why.' }),
  })
  .meta({ id: 'ReconcileStep' });

export const reconciliationSchema = z
  .object({
    period: periodSchema,
    account_id: idSchema.nullable(),
    equal: z.boolean().meta({ description: 'Whether all steps are equal.' }),
    steps: z.array(stepSchema),
  })
  .meta({ id: 'Reconciliation' });

export type Reconciliation = z.infer<typeof reconciliationSchema>;
