import { z } from 'zod';
import { codePointLength, isWellFormed } from '@tollgate/kernel/text';

/** JSON Schema's pattern of text without NUL. UTF-8 has no lone surrogates, so they need no pattern. */
export const wellFormedPattern = '^[^\\u0000]*$';

export interface TextLimits {
  readonly min?: number;
  readonly max?: number;
}

/** Text within limits in code points (not UTF-16 units, as zod's own `min` and `max` count), without NUL and lone surrogates. */
export function textSchema({ min = 0, max = Number.POSITIVE_INFINITY }: TextLimits = {}): z.ZodString {
  const schema = z.string().check((context) => {
    const problem = textProblem(context.value, { min, max });
    if (problem) context.issues.push({ code: 'custom', input: context.value, ...problem });
  });
  return schema.meta({
    ...(min > 0 && { minLength: min }),
    ...(max < Number.POSITIVE_INFINITY && { maxLength: max }),
    pattern: wellFormedPattern,
  });
}

export interface TextProblem {
  readonly message: string;
  readonly params: { readonly code: string };
}

export function textProblem(text: string, { min, max }: Required<TextLimits>): TextProblem | undefined {
  if (!isWellFormed(text)) {
    return { message: 'must not contain NUL or lone surrogates', params: { code: 'invalid_characters' } };
  }
  if (text.length > max && codePointLength(text) > max) {
    return { message: `must have at most ${max} characters`, params: { code: 'too_long' } };
  }
  // A text has at least half as many code points as units, so the usual text is not read here.
  if (text.length < 2 * min && codePointLength(text) < min) {
    return { message: `must have at least ${min} character${min === 1 ? '' : 's'}`, params: { code: 'too_short' } };
  }
  return undefined;
}
