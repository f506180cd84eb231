import { toCell, toTable } from '@tollgate/kernel/text-table';

export interface Writer {
  /** One thing: its fields, or JSON. */
  record(value: object): void;
  /** A list: a table with these columns, or JSON. */
  table(rows: readonly object[], columns: readonly string[]): void;
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
    record(value) {
      if (isJson()) return json(value);
      for (const [name, field] of Object.entries(value)) print(`${name.padEnd(22)} ${toCell(field)}`);
    },
    table(rows, columns) {
      if (isJson()) return json(rows);
      print(toTable(rows, columns));
    },
    csv: (rows, columns) => print(toCsv(rows, columns)),
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

/** Nothing is an empty field. */
export function toCsv(rows: readonly object[], columns: readonly string[]): string {
  const fieldOf = (value: unknown): string => {
    const field =
      value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
    return /[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
  };
  const lines = rows.map((row) => columns.map((column) => fieldOf((row as Record<string, unknown>)[column])).join());
  return [columns.join(), ...lines].join('\r\n');
}
