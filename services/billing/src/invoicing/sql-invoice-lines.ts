import type { Transaction } from '@tollgate/database/database';
import type { Line } from '@tollgate/pricing/line';
import { micros } from '@tollgate/kernel/money';
import { normaliseDecimal } from '@tollgate/kernel/decimal';

/** The columns of `lineColumns`, where `l` is the line and `i` its invoice. */
export interface DbLine {
  readonly invoice_id: string;
  readonly consumer_id: string;
  readonly line_period: string;
  readonly tool_id: string;
  readonly price_id: string;
  readonly charge_index: number;
  readonly builder_id: string;
  readonly name: string | null;
  readonly quantity: string;
  readonly unit: string;
  readonly charge_micros: string;
}

export const lineColumns = `i.invoice_id, i.consumer_id, coalesce(l.adjustment_of, i.period) as line_period,
  l.tool_id, l.price_id, l.charge_index, l.builder_id, l.name, l.quantity, l.unit, l.charge_micros`;

export function fromDbLine(row: DbLine): Line {
  return {
    period: row.line_period,
    consumerId: row.consumer_id,
    builderId: row.builder_id,
    toolId: row.tool_id,
    priceId: row.price_id,
    chargeIndex: row.charge_index,
    name: row.name,
    quantity: normaliseDecimal(row.quantity),
    unit: row.unit,
    chargeMicros: micros(BigInt(row.charge_micros)),
  };
}

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
