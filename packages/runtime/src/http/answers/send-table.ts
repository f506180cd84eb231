import type { ServerResponse } from 'node:http';
import { sendJson } from './send-json.ts';
import { toCsv, type TableRow } from '@tollgate/kernel/to-csv';

export interface TableAnswer {
  readonly format: 'json' | 'csv';
  /** The answer in JSON. */
  readonly body: object;
  /** Its entries: the rows of the table. */
  readonly rows: readonly TableRow[];
  readonly columns: readonly string[];
  /** The name to save the table under: letters, digits and hyphens, without an ending. */
  readonly name: string;
  /** Null or left out: there is no other page. */
  readonly nextCursor?: string | null;
}

/** Sends an answer as JSON, or its entries as a table in CSV. */
export function sendTable(response: ServerResponse, table: TableAnswer): void {
  const { format, body, rows, columns, name, nextCursor = null } = table;
  if (format === 'json') return sendJson(response, 200, body);
  const text = toCsv(columns, rows);
  response.writeHead(200, {
    'content-type': 'text/csv; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'content-disposition': `attachment; filename="tollgate-${name}.csv"`,
    ...(nextCursor !== null && { 'x-next-cursor': nextCursor }),
  });
  response.end(text);
}
