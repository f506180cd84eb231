import { z } from 'zod';
import { textProblem, wellFormedPattern } from './text-schema.ts';

const metadataKeysMax = 10;
export const metadataKeyLengthMax = 64;
const metadataValueLengthMax = 256;

export type Metadata = Readonly<Record<string, string | number | boolean>>;

export interface MetadataProblem {
  /** The key with the problem; absent if the object as a whole has it. */
  readonly key?: string;
  readonly code: string;
  readonly message: string;
}

const none: readonly MetadataProblem[] = [];
const keyLimits = { min: 1, max: metadataKeyLengthMax };
const valueLimits = { min: 0, max: metadataValueLengthMax };

/** Everything wrong with an event's metadata. `__proto__` is a plain key here: nothing is ever assigned by key. */
export function metadataProblems(value: unknown): readonly MetadataProblem[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [{ code: 'invalid_type', message: 'must be an object' }];
  }
  const keys = Object.keys(value);
  if (keys.length > metadataKeysMax) {
    return [{ code: 'too_many_keys', message: `must have at most ${metadataKeysMax} keys` }];
  }
  let problems: MetadataProblem[] | undefined;
  for (const key of keys) {
    const problem = keyProblem(key) ?? valueProblem(key, (value as Record<string, unknown>)[key]); // an object, see above
    if (problem) (problems ??= []).push(problem);
  }
  return problems ?? none;
}

export function isMetadata(value: unknown): value is Metadata {
  return metadataProblems(value).length === 0;
}

/** Leaves out null values: they mean that a key is absent, as everywhere. A key that no event may have stays. */
export function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value);
  return entries.some(([, member]) => member === null)
    ? Object.fromEntries(entries.filter(([key, member]) => member !== null || keyProblem(key) !== undefined))
    : value;
}

const valueSchemas = [
  { type: 'string', maxLength: metadataValueLengthMax, pattern: wellFormedPattern },
  { type: 'number', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
  { type: 'boolean' },
];
const description = {
  type: 'object',
  propertyNames: { minLength: 1, maxLength: metadataKeyLengthMax, pattern: wellFormedPattern },
  examples: [{ model: 'small', tokens: 1284 }],
};

/** The metadata of an event that was recorded. */
export const metadataSchema = z
  .unknown()
  .transform(checkMetadata)
  .meta({
    id: 'Metadata',
    ...description,
    maxProperties: metadataKeysMax,
    additionalProperties: { anyOf: valueSchemas },
  });

/** The metadata of an event that is sent: a null value is left out. */
export const metadataInputSchema = z
  .unknown()
  .transform((value, context) => checkMetadata(withoutNulls(value), context))
  .meta({
    id: 'MetadataInput',
    ...description,
    additionalProperties: { anyOf: [...valueSchemas, { type: 'null' }] },
    description:
      'Your own key-value pairs, at most 10. A value that is null is left out, and not counted. Send numbers beyond ± (2⁵³ − 1) as strings.',
  });

/** `z.record` would leave out the key `__proto__`, and an event must be kept as it was sent. */
function checkMetadata(value: unknown, context: z.RefinementCtx): Metadata {
  const problems = metadataProblems(value);
  for (const { key, code, message } of problems) {
    const path = key === undefined ? [] : [key];
    context.issues.push({ code: 'custom', input: value, path, message, params: { code } });
  }
  return problems.length === 0 ? (value as Metadata) : z.NEVER; // no problems is what Metadata means
}

function keyProblem(key: string): MetadataProblem | undefined {
  const problem = textProblem(key, keyLimits);
  return problem && { key, code: problem.params.code, message: `the key ${problem.message}` };
}

function valueProblem(key: string, value: unknown): MetadataProblem | undefined {
  switch (typeof value) {
    case 'boolean':
      return undefined;
    case 'string': {
      const problem = textProblem(value, valueLimits);
      return problem && { key, code: problem.params.code, message: problem.message };
    }
    case 'number':
      // Beyond 2⁵³ every double is an integer, so one bound holds both "not finite" and "an integer that lost digits".
      if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return undefined;
      return { key, code: 'number_out_of_range', message: 'is beyond ± (2⁵³ − 1): send it as a string' };
    default:
      return { key, code: 'invalid_type', message: 'must be a string, a number or a boolean' };
  }
}
