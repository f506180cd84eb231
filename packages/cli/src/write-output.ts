export interface Writer {
  /** One thing: its fields, or JSON. */
  record(value: object): void;
  /** A list: a table with these columns, or JSON. */
  table(rows: readonly object[], columns: readonly string[]): void;
  /** One row of a table without an end, or one line of JSON. */
  line(row: object, columns: readonly string[]): void;
  /** A sentence for people; nothing with --json. */
  say(text: string): void;
}

/** Writes answers to standard output: for people, or as JSON for programs. */
export function createWriter(isJson: () => boolean): Writer {
  const print = (text: string): void => void process.stdout.write(`${text}\n`);
  const json = (value: unknown): void => print(JSON.stringify(value, null, 2));
  return {
    record(value) {
      if (isJson()) return json(value);
      for (const [name, field] of Object.entries(value)) print(`${name.padEnd(22)} ${toCell(field)}`);
    },
    table(rows, columns) {
      if (isJson()) return json(rows);
      print(toTable(rows, columns));
    },
    line(row, columns) {
      if (isJson()) return print(JSON.stringify(row));
      const fields = row as Record<string, unknown>;
      print(columns.map((column) => toCell(fields[column])).join('  '));
    },
    say(text) {
      if (!isJson()) print(text);
    },
  };
}

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
function toCell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.replaceAll(/\p{Cc}/gu, ' ');
}
