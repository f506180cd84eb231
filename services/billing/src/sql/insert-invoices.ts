import { toIso } from '@tollgate/kernel/clock';
import type { Transaction } from '@tollgate/runtime/postgres/database';
import type { IssuedInvoice } from '../domain/invoicing/issue-invoice.ts';

/** The lock of `lock-closing.ts` must be held: the number is one more than the highest. Rolled back, it was never given. */
const invoicesText = `
insert into billing.invoice (invoice_id, number, consumer_id, period, status, charge_micros, carried_in_micros, total_cents,
  carried_out_micros, issued_at, due_at, paid_at, collect_at)
select t.invoice_id, (select coalesce(max(number), 0) from billing.invoice) + row_number() over (order by t.consumer_id),
  t.consumer_id, t.period, t.status, t.charge_micros, t.carried_in_micros, t.total_cents, t.carried_out_micros,
  t.issued_at, t.due_at, t.paid_at, case when t.status = 'open' then t.issued_at end
from jsonb_to_recordset($1::jsonb) as t (invoice_id uuid, consumer_id uuid, period text, status text, charge_micros numeric,
  carried_in_micros numeric, total_cents numeric, carried_out_micros numeric, issued_at timestamptz, due_at timestamptz,
  paid_at timestamptz)`;

const linesText = `
insert into billing.invoice_line (invoice_id, place, tool_id, price_id, charge_index, builder_id, name, quantity, unit,
  charge_micros, adjustment_of)
select * from jsonb_to_recordset($1::jsonb) as t (invoice_id uuid, place integer, tool_id text, price_id uuid,
  charge_index smallint, builder_id uuid, name text, quantity numeric, unit text, charge_micros numeric, adjustment_of text)`;

/** With their lines. Fails, whole, if one of the consumers has an invoice of its period already. */
export async function insertInvoices(tx: Transaction, invoices: readonly IssuedInvoice[]): Promise<void> {
  await tx.query({ name: 'insert-invoices', text: invoicesText }, [JSON.stringify(invoices.map(toDbInvoice))]);
  await tx.query({ name: 'insert-invoice-lines', text: linesText }, [JSON.stringify(invoices.flatMap(toDbLines))]);
}

function toDbInvoice(invoice: IssuedInvoice) {
  return {
    invoice_id: invoice.id,
    consumer_id: invoice.consumerId,
    period: invoice.period,
    status: invoice.status,
    charge_micros: String(invoice.chargeMicros),
    carried_in_micros: String(invoice.carriedInMicros),
    total_cents: String(invoice.totalCents),
    carried_out_micros: String(invoice.carriedOutMicros),
    issued_at: toIso(invoice.issuedAtMs),
    due_at: toIso(invoice.dueAtMs),
    paid_at: invoice.paidAtMs === null ? null : toIso(invoice.paidAtMs),
  };
}

function toDbLines({ id, period, lines }: IssuedInvoice) {
  return lines.map((line, index) => ({
    invoice_id: id,
    place: index + 1,
    tool_id: line.toolId,
    price_id: line.priceId,
    charge_index: line.chargeIndex,
    builder_id: line.builderId,
    name: line.name,
    quantity: line.quantity,
    unit: line.unit,
    charge_micros: String(line.chargeMicros),
    adjustment_of: line.period === period ? null : line.period,
  }));
}
