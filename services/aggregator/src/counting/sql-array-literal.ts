/** A PostgreSQL array literal: https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO */
export function toTextArray(values: readonly (string | undefined)[]): string {
  return `{${values.map((value) => (value === undefined ? 'NULL' : quote(value))).join(',')}}`;
}

const special = /["\\]/;

function quote(value: string): string {
  return special.test(value) ? `"${value.replaceAll(/["\\]/g, '\\$&')}"` : `"${value}"`;
}
