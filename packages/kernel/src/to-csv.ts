/** A row of a table: fields of an answer. Objects and lists in it would be bugs. */
export type TableRow = Readonly<Record<string, unknown>>;

/** Returns the rows as CSV (RFC 4180) with a header line. Null is empty; numbers have exactly the digits of the JSON. */
export function toCsv(columns: readonly string[], rows: readonly object[]): string {
  const valueOf = (row: object, column: string): unknown => (row as TableRow)[column];
  const lines = [columns, ...rows.map((row) => columns.map((column) => toField(valueOf(row, column))))];
  return lines.map((fields) => `${fields.join(',')}\r\n`).join('');
}

function toField(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return JSON.stringify(value);
  const text = isFormula(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A spreadsheet would run it. A number with a sign is none. */
function isFormula(text: string): boolean {
  return /^[=+\-@\t\r\n＝＋－＠]/.test(text) && !/^[-+]?\d+(\.\d+)?$/.test(text);
}
