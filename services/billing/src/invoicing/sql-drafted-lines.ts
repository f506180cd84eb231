import type { Transaction } from '@tollgate/database/database';
import type { Line } from '@tollgate/pricing/line';
import { toLineColumns } from './sql-insert-invoices.ts';

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
