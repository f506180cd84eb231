/** The text of a field of a form, as it was typed. */
export function exactTextOf(fields: FormData, name: string): string {
  const value = fields.get(name);
  return typeof value === 'string' ? value : '';
}

/** The same without blanks around it. */
export function textOf(fields: FormData, name: string): string {
  return exactTextOf(fields, name).trim();
}

/**
 * A typed amount as the number that JSON has. Its shortest spelling is what was typed, so the service reads the same digits.
 * No amount is `null`, which the service refuses in words.
 */
export function amountOf(fields: FormData, name: string): number {
  const text = textOf(fields, name);
  return text === '' ? Number.NaN : Number(text);
}
