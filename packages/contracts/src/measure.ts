import { normaliseDecimal } from '@tollgate/kernel/decimal';

/**
 * What a metadata value must look like for a price to sum it: plain decimal notation, ≥ 0, < 10¹², at most six decimals by
 * value (zeros after them change nothing). No sign, no exponent, no leading zeros, no blanks: "1e3" and "007" are text.
 *
 * PostgreSQL reads the same expression (`~`) with the same meaning, and `metadata ->> key` of a jsonb number is in plain
 * notation, so SQL sums exactly what the gateway let through:
 * `case when metadata ->> key ~ '<this>' then (metadata ->> key)::numeric end`, which also skips `true` and free text.
 */
export const measurePattern = '^(0|[1-9][0-9]{0,11})(\\.[0-9]{1,6}0*)?$';

const measureExpression = new RegExp(measurePattern);

/** The value as the shortest decimal ("1.50" → "1.5"), or undefined if it cannot be summed. */
export function measureOf(value: unknown): string | undefined {
  const text = textOf(value);
  return text !== undefined && measureExpression.test(text) ? normaliseDecimal(text) : undefined;
}

/** JavaScript's shortest decimal of a number; those that it writes with an exponent are outside the limits anyway. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : undefined;
}
