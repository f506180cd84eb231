/** Columns as wide as their widest cell; numbers stand at the right. */
export function toTable(rows: readonly object[], columns: readonly string[]): string {
  const valueOf = (row: object, column: string): unknown => (row as Record<string, unknown>)[column];
  const cells = [[...columns], ...rows.map((row) => columns.map((column) => toCell(valueOf(row, column))))];
  const widths = columns.map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)));
  const isNumber = columns.map(
    (column) => rows.length > 0 && rows.every((row) => typeof valueOf(row, column) === 'number'),
  );
  const pad = (text: string, at: number): string =>
    isNumber[at] === true ? text.padStart(widths[at] ?? 0) : text.padEnd(widths[at] ?? 0);
  return cells.map((row) => row.map(pad).join('  ').trimEnd()).join('\n');
}

/** Control characters of a name must not move a terminal's cursor. */
export function toCell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.replaceAll(/\p{Cc}/gu, ' ');
}
