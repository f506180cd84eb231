/**
 * The parameter of an array of numbers or ids, whose texts have no commas, quotes or backslashes. The driver would check
 * each element for characters to escape, which takes most of the time of a wide batch.
 */
export function arrayText(values: readonly (string | number | bigint)[]): string {
  return `{${values.join(',')}}`;
}
