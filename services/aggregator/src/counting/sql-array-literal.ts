/** A PostgreSQL array literal: https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO */
export function toTextArray(values: readonly (string | undefined)[]): string {
  return `{${values.map((value) => (value === undefined ? 'NULL' : quote(value))).join(',')}}`;
}

/** For jsonb[]: the driver would turn the whole list into one JSON value. */
export function toJsonArray(values: readonly (object | undefined)[]): string {
  return toTextArray(values.map((value) => (value === undefined ? undefined : JSON.stringify(value))));
}

function quote(value: string): string {
  return `"${value.replaceAll(/["\\]/g, '\\$&')}"`;
}
