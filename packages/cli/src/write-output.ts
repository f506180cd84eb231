import { toCell, toTable } from '@tollgate/kernel/text-table';
import { toCsv } from '@tollgate/kernel/to-csv';

export interface Writer {
  /** One thing: its fields as people read them, or JSON as the service said it. */
  record(value: object, shown?: object): void;
  /** A list: a table with these columns, of rows as people read them, or JSON as the service said it. */
  table(rows: readonly object[], columns: readonly string[], toShown?: (row: never) => object): void;
  /** Rows below a record; nothing with --json, which has them in the record. */
  rows(rows: readonly object[], columns: readonly string[]): void;
  /** One thing as text of its own, or JSON. */
  text(value: object, text: string): void;
  /** There is nothing to show: a sentence for people, or null. */
  nothing(text: string): void;
  /** A list as RFC 4180 has it, with a line of names. It is for programs, so `--json` changes nothing. */
  csv(rows: readonly object[], columns: readonly string[]): void;
  /** One row of a table without an end, or one line of JSON. */
  line(row: object, columns: readonly string[]): void;
  /** The key of something new alone, for a script. */
  key(created: { readonly key?: string | undefined }): void;
  /** A sentence for people; nothing with --json. */
  say(text: string): void;
  /** A sentence beside the output, on standard error. */
  note(text: string): void;
}

/** Writes answers to standard output: for people, or as JSON for programs. */
export function createWriter(isJson: () => boolean): Writer {
  const print = (text: string): void => void process.stdout.write(`${text}\n`);
  const json = (value: unknown): void => print(JSON.stringify(value, null, 2));
  return {
    record(value, shown = value) {
      if (isJson()) return json(value);
      for (const [name, field] of Object.entries(shown)) print(`${name.padEnd(22)} ${toCell(field)}`);
    },
    table(rows, columns, toShown = (row: object) => row) {
      if (isJson()) return json(rows);
      print(toTable(rows.map(toShown as (row: object) => object), columns)); // it takes the rows' own type
    },
    rows(rows, columns) {
      if (!isJson()) print(`\n${toTable(rows, columns)}`);
    },
    text: (value, text) => (isJson() ? json(value) : print(text)),
    nothing: (text) => (isJson() ? json(null) : print(text)),
    csv: (rows, columns) => void process.stdout.write(toCsv(columns, rows)),
    line(row, columns) {
      if (isJson()) return print(JSON.stringify(row));
      const fields = row as Record<string, unknown>;
      print(columns.map((column) => toCell(fields[column])).join('  '));
    },
    key: (created) => print(created.key ?? ''),
    say(text) {
      if (!isJson()) print(text);
    },
    note: (text) => void process.stderr.write(`${text}\n`),
  };
}
