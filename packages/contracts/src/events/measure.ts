import { normaliseDecimal } from '@tollgate/kernel/decimal';

/**
 * The form of a metadata value that a price can sum: plain decimal notation, ≥ 0, < 10¹², at most six decimals. Further
 * zeros after them change nothing. A sign, an exponent, a leading zero or a blank makes it text: "1e3", "007".
 *
 * PostgreSQL reads the same expression (`~`) with the same meaning, and `metadata ->> key` prints a jsonb number in
 * plain notation. So SQL sums exactly the values that the gateway let through, and skips `true` and free text: `case
 * when metadata ->> key ~ '<this>' then (metadata ->> key)::numeric end`.
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
