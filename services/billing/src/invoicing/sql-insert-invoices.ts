import { toIso } from '@tollgate/kernel/clock';
import { arrayText } from '@tollgate/database/array-text';
import type { Transaction } from '@tollgate/database/database';
import type { Line } from '@tollgate/pricing/line';
import type { IssuedInvoice } from './issue-invoice.ts';

/**
 * Needs the lock of `lockClosing`, since each number is one more than the highest. A rolled back number is used again.
 */
const invoicesText = `
insert into billing.invoice (invoice_id, number, consumer_id, period, status, charge_micros, carried_in_micros, total_cents,
  carried_out_micros, issued_at, due_at, paid_at, collect_at)
select t.invoice_id, (select coalesce(max(number), 0) from billing.invoice) + row_number() over (order by t.consumer_id),
  t.consumer_id, t.period, t.status, t.charge_micros, t.carried_in_micros, t.total_cents, t.carried_out_micros,
  t.issued_at, t.due_at, t.paid_at, case when t.status = 'open' then t.issued_at end
from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::numeric[], $6::numeric[], $7::numeric[], $8::numeric[],
  $9::timestamptz[], $10::timestamptz[], $11::timestamptz[])
  as t (invoice_id, consumer_id, period, status, charge_micros, carried_in_micros, total_cents, carried_out_micros,
    issued_at, due_at, paid_at)`;

const linesText = `
insert into billing.invoice_line (invoice_id, place, tool_id, price_id, charge_index, builder_id, name, quantity, unit,
  charge_micros, adjustment_of)
select * from unnest($1::uuid[], $2::integer[], $3::text[], $4::uuid[], $5::smallint[], $6::uuid[], $7::text[], $8::numeric[],
  $9::text[], $10::numeric[], $11::text[])`;

/** Inserts the invoices with their lines. Fails as a whole if a consumer already has an invoice of its period. */
export async function insertInvoices(tx: Transaction, invoices: readonly IssuedInvoice[]): Promise<void> {
  const columns = toInvoiceColumns(invoices);
  const lineColumns = toLineColumns(invoices);
  await Promise.all([
    tx.query({ name: 'billing.insert_invoices', text: invoicesText }, columns),
    tx.query({ name: 'billing.insert_invoice_lines', text: linesText }, lineColumns),
  ]);
}

function toInvoiceColumns(invoices: readonly IssuedInvoice[]): unknown[] {
  return [
    arrayText(invoices.map(({ id }) => id)),
    arrayText(invoices.map(({ consumerId }) => consumerId)),
    invoices.map(({ period }) => period),
    invoices.map(({ status }) => status),
    arrayText(invoices.map(({ chargeMicros }) => chargeMicros)),
    arrayText(invoices.map(({ carriedInMicros }) => carriedInMicros)),
    arrayText(invoices.map(({ totalCents }) => totalCents)),
    arrayText(invoices.map(({ carriedOutMicros }) => carriedOutMicros)),
    invoices.map(({ issuedAtMs }) => toIso(issuedAtMs)),
    invoices.map(({ dueAtMs }) => toIso(dueAtMs)),
    invoices.map(({ paidAtMs }) => (paidAtMs === null ? null : toIso(paidAtMs))),
  ];
}

interface PlacedLine {
  readonly invoiceId: string;
  readonly place: number;
  readonly line: Line;
  readonly adjustmentOf: string | null;
}

type LinesOfInvoice = Pick<IssuedInvoice, 'id' | 'period' | 'lines'> & { readonly afterPlace?: number };

function placeLines({ id, period, lines, afterPlace = 0 }: LinesOfInvoice): PlacedLine[] {
  return lines.map((line, index) => {
    const adjustmentOf = line.period === period ? null : line.period;
    return { invoiceId: id, place: afterPlace + index + 1, line, adjustmentOf };
  });
}

/** The columns of an insert of lines. Those of an invoice are placed in their order, after `afterPlace` if given. */
function toLineColumns(invoices: readonly LinesOfInvoice[]): unknown[] {
  const lines = invoices.flatMap(placeLines);
  return [
    arrayText(lines.map(({ invoiceId }) => invoiceId)),
    arrayText(lines.map(({ place }) => place)),
    lines.map(({ line }) => line.toolId),
    arrayText(lines.map(({ line }) => line.priceId)),
    arrayText(lines.map(({ line }) => line.chargeIndex)),
    arrayText(lines.map(({ line }) => line.builderId)),
    lines.map(({ line }) => line.name),
    arrayText(lines.map(({ line }) => line.quantity)),
    lines.map(({ line }) => line.unit),
    arrayText(lines.map(({ line }) => line.chargeMicros)),
    lines.map(({ adjustmentOf }) => adjustmentOf),
  ];
}

const columns = `invoice_id, place, tool_id, price_id, charge_index, builder_id, name, quantity, unit, charge_micros, adjustment_of`;

const insertText = `
insert into billing.drafted_line (${columns})
select * from unnest($1::uuid[], $2::integer[], $3::text[], $4::uuid[], $5::smallint[], $6::uuid[], $7::text[], $8::numeric[],
  $9::text[], $10::numeric[], $11::text[])`;

export interface DraftedPart {
  readonly id: string;
  readonly period: string;
  readonly lines: readonly Line[];
  /** The place of the last line of the part before; 0 for the first part. */
  readonly afterPlace: number;
}

/** Keeps lines for `moveDraftedLines`, which must follow in the same transaction. */
export async function insertDraftedLines(tx: Transaction, part: DraftedPart): Promise<void> {
  await tx.query({ name: 'billing.insert_drafted_lines', text: insertText }, toLineColumns([part]));
}

const moveText = `insert into billing.invoice_line (${columns}) select ${columns} from billing.drafted_line where invoice_id = $1`;
const deleteText = `delete from billing.drafted_line where invoice_id = $1`;

/** Makes the drafted lines those of the invoice, which must be stored: an invoice takes all its lines in one statement. */
export async function moveDraftedLines(tx: Transaction, invoiceId: string): Promise<void> {
  await tx.query(moveText, [invoiceId]);
  await tx.query(deleteText, [invoiceId]);
}
