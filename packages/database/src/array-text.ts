/**
 * A value for a parameter of an array type, of numbers or ids: whatever has a text without commas, quotes or backslashes.
 * The driver looks into each element for what must be escaped, and for wide batches that takes longer than all else.
 */
export function arrayText(values: readonly (string | number | bigint)[]): string {
  return `{${values.join(',')}}`;
}
