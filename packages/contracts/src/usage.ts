import { hourMs } from '@tollgate/kernel/durations';
import { z } from 'zod';
import { idSchema } from './id.ts';
import { textSchema } from './text-schema.ts';
import { isoTimeSchema, timestampSchema } from './timestamp.ts';

export const usageDimensions = ['tool_id', 'consumer_id', 'success'] as const;
export type UsageDimension = (typeof usageDimensions)[number];

const fullHourSchema = timestampSchema.refine((ms) => ms % hourMs === 0, {
  error: 'must be on a full UTC hour',
  params: { code: 'not_on_the_hour' },
});

const groupBySchema = z
  .string()
  .transform((text, context): UsageDimension[] => {
    const names = text.split(',');
    const dimensions = usageDimensions.filter((dimension) => names.includes(dimension));
    if (dimensions.length === names.length) return dimensions; // none is unknown and none comes twice
    context.issues.push({
      code: 'custom',
      input: text,
      message: `must be of ${usageDimensions.join(', ')}, each at most once, separated by commas`,
      params: { code: 'invalid_value' },
    });
    return z.NEVER;
  })
  .meta({ type: 'array', items: { type: 'string', enum: [...usageDimensions] }, minItems: 1, uniqueItems: true });

/** The query of `GET /v1/usage`. Without `from` and `to` it is the current month, which the service knows. */
export const usageQuerySchema = z
  .object({
    tool_id: textSchema({ min: 1 }).optional().meta({ description: 'Only this tool.' }),
    from: fullHourSchema
      .optional()
      .meta({ description: 'A full hour. Default: the start of the current month (UTC).' }),
    to: fullHourSchema
      .optional()
      .meta({ description: 'A full hour, not included. Default: the end of the current month.' }),
    granularity: z
      .enum(['hour', 'day', 'month'])
      .optional()
      .meta({ description: 'Splits rows by time (UTC). Default: one row for the whole range.' }),
    group_by: groupBySchema.optional().meta({
      description: 'Splits rows by these fields, separated by commas. With `success` the rows have no money fields.',
    }),
    role: z
      .enum(['consumer', 'builder'])
      .default('consumer')
      .meta({ description: '`consumer`: your calls. `builder`: the calls of your tools.' }),
  })
  .check((context) => {
    const { from, to } = context.value;
    if (from === undefined || to === undefined || to >= from) return;
    context.issues.push({
      code: 'custom',
      path: ['to'],
      input: context.value,
      message: 'must not be before `from`',
      params: { code: 'invalid_value' },
    });
  });

const usageSums = {
  calls: z.int().min(0).meta({ description: 'The number of calls.' }),
  successes: z.int().min(0).meta({ description: 'The number of calls with `success: true`.' }),
  failures: z.int().min(0).meta({ description: 'The number of calls with `success: false`.' }),
  duration_ms: z.int().min(0).meta({ description: 'The sum of the durations, in milliseconds.' }),
  measures: z.record(z.string(), z.string()).meta({
    description: 'Sums of the metadata keys that the prices name, as decimal strings.',
    examples: [{ tokens: '1284' }],
  }),
  charge_usd: z.number().optional().meta({
    description:
      'The amount that the calls added to the lines of their months, so that rows add up to the lines exactly. It is below 0 where the calls reached a cheaper volume tier. It is absent, like all money, with `success` in `group_by`.',
  }),
  earning_usd: z.number().optional().meta({ description: 'For builders: the charge less the platform fee.' }),
  fee_usd: z.number().optional().meta({
    description: 'For builders: the platform fee on the charge, given the gross of all calls before it.',
  }),
};

const usageRowSchema = z
  .object({
    start: isoTimeSchema.optional().meta({ description: 'With `granularity`: the start of the hour, day or month.' }),
    tool_id: z.string().optional().meta({ description: 'With `group_by=tool_id`.' }),
    consumer_id: idSchema.optional().meta({ description: 'With `group_by=consumer_id`.' }),
    success: z.boolean().optional().meta({ description: 'With `group_by=success`.' }),
    ...usageSums,
  })
  .meta({ id: 'UsageRow', description: 'A row has the fields by which the query splits.' });

const usageTotalsSchema = z.object(usageSums).meta({ id: 'UsageTotals' });

export const usageSchema = z
  .object({
    usage: z.array(usageRowSchema).meta({ description: 'Rows without calls are left out.' }),
    totals: usageTotalsSchema,
    counted_through: isoTimeSchema.meta({
      description:
        'The sums contain every acknowledged event with `received_at` before this time. Hours that ended 24 hours before it are final, apart from late adjustments.',
    }),
  })
  .meta({ id: 'Usage' });

export type UsageQuery = z.output<typeof usageQuerySchema>;
export type UsageRow = z.infer<typeof usageRowSchema>;
export type UsageTotals = z.infer<typeof usageTotalsSchema>;
export type Usage = z.infer<typeof usageSchema>;
