import type { Transaction } from '@tollgate/database/database';
import type { Line } from '@tollgate/pricing/line';
import { fromDbLine, lineColumns, type DbLine } from './sql-db-line.ts';

/** A line with its place in its invoice, from 1, without gaps. */
export interface PlacedLine {
  readonly place: number;
  readonly line: Line;
}

export interface LinesQuery {
  readonly invoiceId: string;
  readonly afterPlace: number;
  readonly limit: number;
}

const text = `
select ${lineColumns}, l.place
from billing.invoice i join billing.invoice_line l using (invoice_id)
where i.invoice_id = $1 and l.invoice_id = $1 and l.place > $2 and l.place <= $2 + $3
order by l.place`;

/** Reads the next `limit` lines of an invoice. */
export async function readInvoiceLines(tx: Transaction, query: LinesQuery): Promise<PlacedLine[]> {
  const { invoiceId, afterPlace, limit } = query;
  const rows = await tx.query<DbLine & { readonly place: number }>({ name: 'billing.read_invoice_lines', text }, [
    invoiceId,
    afterPlace,
    limit,
  ]);
  return rows.map((row) => ({ place: row.place, line: fromDbLine(row) }));
}
