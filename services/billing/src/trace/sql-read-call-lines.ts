import { micros, type Micros } from '@tollgate/kernel/money';
import type { Transaction } from '@tollgate/database/database';
import type { Line } from '@tollgate/pricing/line';
import { fromDbLine, lineColumns, type DbLine } from '../invoicing/sql-db-line.ts';

export interface CallLine {
  readonly invoiceId: string;
  readonly line: Line;
  /** Null until the line's money is collected. */
  readonly released: {
    readonly releasedAtMs: number;
    readonly feeMicros: Micros;
    /** The payout that contains it; null if there is none yet. */
    readonly payoutId: string | null;
  } | null;
  readonly refundedMicros: Micros;
}

const text = `
select ${lineColumns}, r.released_at, r.fee_micros, r.payout_id,
  (select coalesce(sum(f.charge_micros), 0) from billing.refunded_line f
   where f.invoice_id = l.invoice_id and f.place = l.place) as refunded_micros
from billing.invoice i join billing.invoice_line l using (invoice_id)
left join billing.released_line r on r.invoice_id = l.invoice_id and r.place = l.place
where i.consumer_id = $1 and i.period >= $2 and coalesce(l.adjustment_of, i.period) = $2 and l.price_id = $3
order by i.period, l.place`;

/** Reads the invoice lines of a month's calls under one price version, in the order of their invoices. */
export async function readCallLines(
  tx: Transaction,
  of: { readonly consumerId: string; readonly period: string; readonly priceId: string },
): Promise<CallLine[]> {
  const rows = await tx.query<Row>({ name: 'billing.read_call_lines', text }, [of.consumerId, of.period, of.priceId]);
  return rows.map((row) => ({
    invoiceId: row.invoice_id,
    line: fromDbLine(row),
    released: row.released_at && {
      releasedAtMs: row.released_at.getTime(),
      feeMicros: micros(BigInt(row.fee_micros ?? 0)),
      payoutId: row.payout_id,
    },
    refundedMicros: micros(BigInt(row.refunded_micros)),
  }));
}

interface Row extends DbLine {
  readonly released_at: Date | null;
  readonly fee_micros: string | null;
  readonly payout_id: string | null;
  readonly refunded_micros: string;
}
