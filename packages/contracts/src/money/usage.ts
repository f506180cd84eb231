import { hourMs } from '@tollgate/kernel/durations';
import { z } from 'zod';
import { idSchema } from '../forms/id.ts';
import { passTagLengthMax, passTagsMax } from '../spending/passes.ts';
import { textProblem, textSchema } from '../forms/text-schema.ts';
import { isoTimeSchema, timestampSchema } from '../forms/timestamp.ts';
import type { Route } from '../routes/route.ts';

const tagPrefix = 'tag.';
const usageDimensions = ['tool_id', 'consumer_id', 'success', 'pass_id'] as const;
type PassTag = `tag.${string}`;
/** `tag.team`: the tag `team` of the pass that paid for the call. */
export type UsageDimension = (typeof usageDimensions)[number] | PassTag;

const fullHourSchema = timestampSchema.refine((ms) => ms % hourMs === 0, {
  error: 'must be on a full UTC hour',
  params: { code: 'not_on_the_hour' },
});

const groupBySchema = z
  .string()
  .transform((text, context): UsageDimension[] => {
    const names = text.split(',');
    const tags = names.filter(isPassTag);
    const dimensions = [...usageDimensions.filter((dimension) => names.includes(dimension)), ...new Set(tags)];
    const isValid = dimensions.length === names.length && tags.length <= passTagsMax; // none is unknown or comes twice
    if (isValid) return dimensions;
    context.issues.push({
      code: 'custom',
      input: text,
      message: `must be of ${usageDimensions.join(', ')} and up to ${passTagsMax} tags as tag.team, each at most once, separated by commas`,
      params: { code: 'invalid_value' },
    });
    return z.NEVER;
  })
  .meta({
    type: 'array',
    items: {
      anyOf: [
        { type: 'string', enum: [...usageDimensions] },
        { type: 'string', pattern: '^tag\\..+$' },
      ],
    },
    minItems: 1,
    uniqueItems: true,
  });

function isPassTag(name: string): name is PassTag {
  return name.startsWith(tagPrefix) && !textProblem(name.slice(tagPrefix.length), { min: 1, max: passTagLengthMax });
}

/** The names of the tags by which a query splits rows. */
export function tagsOf(groupBy: Iterable<UsageDimension>): string[] {
  return [...groupBy].filter(isPassTag).map((tag) => tag.slice(tagPrefix.length));
}

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
      description:
        'Splits rows by these fields, separated by commas. With `success` the rows have no money fields. `pass_id` and the tags of passes, as `tag.team`, are for `role=consumer`. A tag with a comma in its name cannot be asked for.',
      examples: [['tool_id', 'tag.team']],
    }),
    role: z
      .enum(['consumer', 'builder'])
      .default('consumer')
      .meta({ description: '`consumer`: your calls. `builder`: the calls of your tools.' }),
  })
  .check(({ value, issues }) => {
    const { from, to, role, group_by: groupBy = [] } = value;
    const refuse = (field: string, message: string): void =>
      void issues.push({ code: 'custom', path: [field], input: value, message, params: { code: 'invalid_value' } });
    if (from !== undefined && to !== undefined && to < from) refuse('to', 'must not be before `from`');
    if (role === 'builder' && (groupBy.includes('pass_id') || tagsOf(groupBy).length > 0))
      refuse(
        'group_by',
        'must have no `pass_id` and no tag with `role=builder`: passes and their tags are the consumers’',
      );
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
      'The amount that the calls added to the lines of their months, so that rows add up to the lines exactly. It is below 0 where the calls reached a cheaper volume tier. Passes share an hour in the order of their ids, after the calls without a pass, so passes add up exactly, too. It is absent, like all money, with `success` in `group_by`.',
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
    pass_id: idSchema.nullable().optional().meta({
      description: 'With `group_by=pass_id`: the pass that paid for the calls; null for calls without one.',
    }),
    tags: z
      .record(z.string(), z.string().nullable())
      .optional()
      .meta({
        description:
          'With tags in `group_by`: what those tags of the passes are now. Null for passes without the tag, and for calls without a pass.',
        examples: [{ team: 'research' }],
      }),
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

export const usageRoutes: readonly Route[] = [
  {
    operationId: 'getUsage',
    method: 'GET',
    path: '/v1/usage',
    service: 'billing',
    access: 'account',
    tag: 'Usage',
    summary: 'Sum calls, durations, measures and money',
    description: 'Sums everything that is counted. A query with more than 10,000 rows is 400, with advice.',
    query: usageQuerySchema,
    responses: { 200: { description: 'The sums.', schema: usageSchema } },
    errors: [],
  },
];
