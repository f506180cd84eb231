import type { Schemas } from '@tollgate/sdk/edge';

type Row = Schemas['UsageRow'];
type Cell = string | number | boolean | null | undefined;

const dimensions = ['start', 'tool_id', 'consumer_id', 'pass_id', 'success'] as const;
const sums = ['calls', 'successes', 'failures', 'duration_ms', 'charge_usd', 'fee_usd', 'earning_usd'] as const;

/** Writes rows of usage as CSV (RFC 4180). Each number is the API's, and a column is there if a row has it. */
export function usageCsv(rows: readonly Row[]): string {
  const columns = columnsOf(rows);
  const lines = [columns.map(({ title }) => title), ...rows.map((row) => columns.map(({ cell }) => cell(row)))];
  return lines.map((cells) => `${cells.map(toCell).join(',')}\r\n`).join('');
}

interface CsvColumn {
  readonly title: string;
  readonly cell: (row: Row) => Cell;
}

function columnsOf(rows: readonly Row[]): CsvColumn[] {
  const own = [...dimensions, ...sums].filter((name) => rows.some((row) => row[name] !== undefined));
  const tags = namesOf(rows.map(({ tags: values = {} }) => values));
  const measures = namesOf(rows.map((row) => row.measures));
  return [
    ...own.map((name) => ({ title: name, cell: (row: Row) => row[name] })),
    ...tags.map((name) => ({ title: `tag.${name}`, cell: (row: Row) => row.tags?.[name] })),
    ...measures.map((name) => ({ title: `measure.${name}`, cell: (row: Row) => row.measures[name] })),
  ];
}

function namesOf(objects: readonly object[]): string[] {
  return [...new Set(objects.flatMap((object) => Object.keys(object)))].sort();
}

/** A text that a spreadsheet would run as a formula begins with an apostrophe: tags are whatever somebody wrote. */
function toCell(value: Cell): string {
  if (typeof value !== 'string') return value == null ? '' : plainOf(value);
  const text = /^[=+\-@\t\r]/.test(value) && !/^-?\d+(\.\d+)?$/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Small numbers would be written as `1e-7`. The API has six decimals at most. */
function plainOf(value: number | boolean): string {
  return typeof value === 'number' && /e-/.test(String(value)) ? value.toFixed(6).replace(/0+$/, '') : String(value);
}
