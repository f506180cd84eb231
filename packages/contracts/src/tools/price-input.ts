import { z } from 'zod';
import { compareDecimals, normaliseDecimal, parseDecimal } from '@tollgate/kernel/decimal';
import { closedObject } from '../forms/closed-object.ts';
import { metadataKeyLengthMax } from '../forms/metadata.ts';
import { optional } from '../forms/optional.ts';
import { chargesMax, tiersMax, type Price } from './price.ts';
import { textSchema } from '../forms/text-schema.ts';

const decimalPattern = /^(?:0|[1-9][0-9]{0,11})(?:\.[0-9]{1,12})?$/;
const positivePattern = /^(?!0(?:\.0+)?$)(?:0|[1-9][0-9]{0,11})(?:\.[0-9]{1,12})?$/;

/** ≥ 0, < 10¹², at most 12 decimals; its value is the shortest spelling: "0.0020" → "0.002". */
const decimalSchema = decimalTextSchema(
  decimalPattern,
  'must be a decimal string from 0 to below 10¹² with at most 12 decimals, such as "0.002"',
)
  .transform(normaliseDecimal)
  .meta({ examples: ['0.002'] });

const positiveDecimalSchema = decimalTextSchema(
  positivePattern,
  'must be a decimal string above 0 and below 10¹² with at most 12 decimals, such as "1000"',
)
  .transform(normaliseDecimal)
  .meta({ examples: ['1000'] });

const zeroIfAbsent = optional(decimalSchema).transform((value) => value ?? '0');

const metricSchema = z
  .discriminatedUnion('type', [
    closedObject({ type: z.literal('calls') }),
    closedObject({ type: z.literal('duration_ms') }),
    closedObject({ type: z.literal('metadata_sum'), key: textSchema({ min: 1, max: metadataKeyLengthMax }) }),
  ])
  .meta({ id: 'MetricInput', description: 'The quantity: calls, milliseconds, or the sum of a metadata key.' });

const tiersSchema = z
  .array(
    closedObject({
      up_to: positiveDecimalSchema
        .nullable()
        .meta({ description: 'The last quantity in this tier; null in the last tier.' }),
      unit_price_usd: decimalSchema,
      flat_price_usd: zeroIfAbsent,
    }),
  )
  .min(1)
  .max(tiersMax)
  .check((context) => {
    if (context.issues.length > 0) return; // the quantities are not all decimals
    for (const { path, message } of tierProblems(context.value)) {
      context.issues.push({ code: 'custom', input: context.value, path, message, params: { code: 'invalid_tiers' } });
    }
  })
  .meta({ description: '`up_to` ascends, and only the last is null.' });

const modelSchema = z
  .discriminatedUnion('type', [
    closedObject({ type: z.literal('per_unit'), unit_price_usd: decimalSchema }),
    closedObject({ type: z.literal('graduated'), tiers: tiersSchema }),
    closedObject({ type: z.literal('volume'), tiers: tiersSchema }),
    closedObject({ type: z.literal('package'), size: positiveDecimalSchema, package_price_usd: decimalSchema }),
  ])
  .meta({
    id: 'PriceModelInput',
    description:
      '`per_unit`: quantity × price. `graduated`: each tier prices its own part of the quantity. `volume`: the tier that the whole quantity reaches prices all of it. `package`: each package that is begun is charged whole.',
  });

const chargeSchema = closedObject({
  name: optional(textSchema({ min: 1, max: 200 }))
    .transform((name) => name ?? null)
    .meta({ description: 'The name of the charge on invoices.' }),
  metric: metricSchema,
  model: modelSchema,
  free_quantity: zeroIfAbsent.meta({
    description: 'The quantity that is free, per consumer and period.',
    default: '0',
  }),
}).meta({ id: 'ChargeInput' });

const fullPriceSchema = closedObject({
  currency: z.literal('usd').meta({ description: 'All prices are US dollars.' }),
  charges: z.array(chargeSchema).max(chargesMax).meta({ description: 'Without charges the tool is free.' }),
  bill_failed_calls: optional(z.boolean())
    .transform((bill) => bill ?? false)
    .meta({ default: false }),
}).meta({ id: 'PriceInput', description: 'A price in full.' });

const shorthandSchema = closedObject({
  per_call_usd: decimalSchema.meta({ description: 'Dollars per successful call.' }),
})
  .transform(({ per_call_usd: unitPrice }): Price => ({
    currency: 'usd',
    charges: [
      {
        name: null,
        metric: { type: 'calls' },
        model: { type: 'per_unit', unit_price_usd: unitPrice },
        free_quantity: '0',
      },
    ],
    bill_failed_calls: false,
  }))
  .meta({
    id: 'PerCallPrice',
    description: 'Short form of one charge per successful call. No other field may accompany it.',
  });

/**
 * A price as a builder sends it; its value is the price in full. Unknown fields are refused everywhere inside: an
 * ignored, misspelt `free_quantity` would cost somebody money.
 */
export const priceInputSchema = z
  .unknown()
  .transform((value, context): Price => {
    const isShorthand = typeof value === 'object' && value !== null && Object.hasOwn(value, 'per_call_usd');
    const parsed = (isShorthand ? shorthandSchema : fullPriceSchema).safeParse(value);
    if (parsed.success) return parsed.data;
    // A finished issue is a raw issue with its message; only the type demands the input of each.
    context.issues.push(...parsed.error.issues.map((issue) => withExample(issue as z.core.$ZodRawIssue, value)));
    return z.NEVER;
  })
  .meta({
    oneOf: [{ $ref: '#/components/schemas/PriceInput' }, { $ref: '#/components/schemas/PerCallPrice' }],
    description: 'A price in full, or `{ "per_call_usd": "0.002" }` alone.',
    examples: [{ per_call_usd: '0.002' }],
  });

function decimalTextSchema(pattern: RegExp, error: string): z.ZodString {
  return z.string({ error }).regex(pattern, { error });
}

/** Adds the shortest price to the issues of a price that is no object or lacks a field. */
function withExample(issue: z.core.$ZodRawIssue, price: unknown): z.core.$ZodRawIssue {
  const path = (issue.path ?? []) as (string | number)[]; // a path in JSON has no symbols
  const isMissing = price === undefined || (path.length === 1 && !Object.hasOwn(price as object, path[0] ?? ''));
  if (isMissing) return custom(path, { code: 'required', message: `is required; ${shortestPrice}` });
  if (path.length === 0 && issue.code === 'invalid_type')
    return custom(path, { code: 'invalid_type', message: `must be an object; ${shortestPrice}` });
  return issue;
}

const shortestPrice = 'the shortest price is { "per_call_usd": "0.002" }';

function custom(path: (string | number)[], { code, message }: { code: string; message: string }): z.core.$ZodRawIssue {
  return { code: 'custom', path, input: undefined, message, params: { code } };
}

interface TierProblem {
  readonly path: (string | number)[];
  readonly message: string;
}

function tierProblems(tiers: readonly { readonly up_to: string | null }[]): TierProblem[] {
  const last = tiers.length - 1;
  return tiers.flatMap(({ up_to: upTo }, index) => {
    const path = [index, 'up_to'];
    if (index === last) return upTo === null ? [] : [{ path, message: 'must be null in the last tier' }];
    if (upTo === null) return [{ path, message: 'must not be null before the last tier' }];
    const before = tiers[index - 1]?.up_to;
    const isAscending = before == null || compareDecimals(parseDecimal(before), parseDecimal(upTo)) < 0;
    return isAscending ? [] : [{ path, message: 'must be greater than in the tier before' }];
  });
}
