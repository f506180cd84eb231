import { toIso } from '@tollgate/kernel/clock';
import { micros } from '@tollgate/kernel/money';
import { onlyRow, type Queryable, type Transaction } from '@tollgate/database/database';
import type { CreditedTool, CreditNote } from './refund.ts';

const lockText = `select pg_advisory_xact_lock(hashtext('billing.credit_notes'))`;

const insertText = `
insert into billing.credit_note (number, refund_id, invoice_id, consumer_id, amount_cents, issued_at)
select (select coalesce(max(number), 0) + 1 from billing.credit_note), $1, $2, i.consumer_id, $3, $4
from billing.invoice i where i.invoice_id = $2`;

export interface NewCreditNote {
  readonly refundId: string;
  readonly invoiceId: string;
  readonly amountCents: bigint;
  readonly issuedAtMs: number;
}

/**
 * Issues the note of a refund under the next number. The lock admits one transaction at a time, so numbers have no gaps. It
 * is taken last, after the accounts of the ledger.
 */
export async function insertCreditNote(tx: Transaction, note: NewCreditNote): Promise<void> {
  await tx.query({ name: 'billing.lock_credit_notes', text: lockText });
  const values = [note.refundId, note.invoiceId, String(note.amountCents), toIso(note.issuedAtMs)];
  await tx.query({ name: 'billing.insert_credit_note', text: insertText }, values);
}

const columns = `n.refund_id, n.number, n.invoice_id, i.number as invoice_number, n.consumer_id, i.period, n.amount_cents, r.cause,
  n.issued_at`;

const joined = `billing.credit_note n join billing.invoice i using (invoice_id) join billing.refund r using (refund_id)`;

const pageText = `
select ${columns} from ${joined}
where n.consumer_id = $1 and ($2::bigint is null or n.number < $2) and ($3::uuid is null or n.invoice_id = $3)
order by n.number desc limit $4`;

const countText = `
select count(*)::int as total from billing.credit_note n where n.consumer_id = $1 and ($2::uuid is null or n.invoice_id = $2)`;

export interface CreditNotePageQuery {
  readonly consumerId: string;
  readonly invoiceId?: string | undefined;
  /** The number at which the page before ended. */
  readonly beforeNumber?: bigint | undefined;
  readonly limit: number;
}

/** Reads a page of a consumer's notes, the newest first, and one more row if there is another page. */
export async function readCreditNotes(tx: Transaction, query: CreditNotePageQuery) {
  const { consumerId, invoiceId = null, beforeNumber, limit } = query;
  const values = [consumerId, beforeNumber === undefined ? null : String(beforeNumber), invoiceId, limit + 1];
  const rows = await tx.query<DbNote>({ name: 'billing.read_credit_notes', text: pageText }, values);
  const counted = { name: 'billing.count_credit_notes', text: countText };
  const { total } = onlyRow(await tx.query<{ total: number }>(counted, [consumerId, invoiceId]));
  return { rows: rows.map(fromDbNote), total };
}

const findText = `select ${columns} from ${joined} where n.consumer_id = $1 and n.refund_id = $2`;

export async function findNote(tx: Transaction, { consumerId, id }: { consumerId: string; id: string }) {
  const [row] = await tx.query<DbNote>({ name: 'billing.find_credit_note', text: findText }, [consumerId, id]);
  return row && fromDbNote(row);
}

const toolsText = `
with credited as (
  select i.tool_id, sum(r.charge_micros) as micros
  from billing.refunded_line r join billing.invoice_line i using (invoice_id, place) where r.refund_id = $1 group by 1
), shown as (
  select * from credited order by micros desc, tool_id collate "C" limit $2
)
select tool_id, micros::text as micros from (
  select tool_id, micros, 1 as place from shown
  union all
  select null, (select sum(micros) from credited) - (select sum(micros) from shown), 2
  where (select count(*) from credited) > $2
) rows order by place, rows.micros desc, tool_id collate "C"`;

/** The most tools that a note names. The others are one row. */
const shownToolsMax = 500;

/** Adds up what a refund took of the lines of each tool, the largest first. */
export async function sumCreditedTools(db: Queryable, refundId: string): Promise<CreditedTool[]> {
  const rows = await db.query<{ tool_id: string | null; micros: string }>(toolsText, [refundId, shownToolsMax]);
  return rows.map((row) => ({ toolId: row.tool_id, chargeMicros: micros(BigInt(row.micros)) }));
}

interface DbNote {
  readonly refund_id: string;
  readonly number: bigint;
  readonly invoice_id: string;
  readonly invoice_number: bigint;
  readonly consumer_id: string;
  readonly period: string;
  readonly amount_cents: string;
  readonly cause: CreditNote['cause'];
  readonly issued_at: Date;
}

function fromDbNote(row: DbNote): CreditNote {
  return {
    id: row.refund_id,
    number: BigInt(row.number),
    invoiceId: row.invoice_id,
    invoiceNumber: BigInt(row.invoice_number),
    consumerId: row.consumer_id,
    period: row.period,
    amountCents: BigInt(row.amount_cents),
    cause: row.cause,
    issuedAtMs: row.issued_at.getTime(),
  };
}
