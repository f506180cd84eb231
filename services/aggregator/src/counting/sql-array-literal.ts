/** A PostgreSQL array literal: https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO */
export function toTextArray(values: readonly (string | undefined)[]): string {
  return `{${values.map((value) => (value === undefined ? 'NULL' : quote(value))).join(',')}}`;
}

/**
 * For ids, times, numbers, booleans and hex, which need no quotes. The driver would look at each value's type and escape it:
 * 0.15 µs per value instead of 0.02.
 */
export function toPlainArray(values: readonly (string | number | boolean | undefined)[]): string {
  return `{${values.map((value) => value ?? 'NULL').join(',')}}`;
}

/** For jsonb[]: the driver would turn the whole list into one JSON value. */
export function toJsonArray(values: readonly (object | undefined)[]): string {
  return toTextArray(values.map((value) => (value === undefined ? undefined : JSON.stringify(value))));
}

const special = /["\\]/;

function quote(value: string): string {
  return special.test(value) ? `"${value.replaceAll(/["\\]/g, '\\$&')}"` : `"${value}"`;
}
