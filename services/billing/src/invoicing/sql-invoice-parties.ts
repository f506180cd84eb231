import { arrayText } from '@tollgate/database/array-text';
import type { Transaction } from '@tollgate/database/database';
import type { Issuer, Parties } from './party.ts';

const partiesText = `
insert into billing.invoice_parties (invoice_id, issuer, buyer)
select i.invoice_id, $2, d.details from billing.invoice i left join billing.billing_details d on d.account_id = i.consumer_id
where i.invoice_id = any ($1::uuid[])`;

const toolsText = `
insert into billing.invoice_tool (invoice_id, tool_id, name)
select l.invoice_id, l.tool_id, t.name
from (select distinct invoice_id, tool_id from billing.invoice_line where invoice_id = any ($1::uuid[])) l
join billing.tool t using (tool_id)`;

/** Keeps the parties and the names of the tools as they are now. The invoices must be stored, with their lines. */
export async function insertInvoiceParties(tx: Transaction, ids: readonly string[], issuer: Issuer): Promise<void> {
  const parties = { name: 'billing.insert_invoice_parties', text: partiesText };
  await Promise.all([
    tx.query(parties, [arrayText(ids), JSON.stringify(issuer)]),
    tx.query({ name: 'billing.insert_invoice_tools', text: toolsText }, [arrayText(ids)]),
  ]);
}

const readText = `select issuer, buyer from billing.invoice_parties where invoice_id = $1`;

/** Reads the parties of an invoice. Undefined for an invoice from before they were kept. */
export async function readInvoiceParties(tx: Transaction, invoiceId: string): Promise<Parties | undefined> {
  return (await tx.query<Parties & object>({ name: 'billing.read_invoice_parties', text: readText }, [invoiceId]))[0];
}

const namesText = `select tool_id, name from billing.invoice_tool where invoice_id = $1 and tool_id = any ($2::text[])`;

export interface ToolsOfInvoice {
  readonly invoiceId: string;
  readonly toolIds: readonly string[];
}

/** Reads the names that these tools had when the invoice was issued, by id. */
export async function readToolNames(tx: Transaction, query: ToolsOfInvoice): Promise<ReadonlyMap<string, string>> {
  const statement = { name: 'billing.read_tool_names', text: namesText };
  const values = [query.invoiceId, [...new Set(query.toolIds)]];
  const rows = await tx.query<{ tool_id: string; name: string }>(statement, values);
  return new Map(rows.map(({ tool_id: toolId, name }) => [toolId, name]));
}
