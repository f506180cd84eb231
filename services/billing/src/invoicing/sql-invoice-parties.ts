import { arrayText } from '@tollgate/database/array-text';
import type { Transaction } from '@tollgate/database/database';
import { micros, type Micros } from '@tollgate/kernel/money';
import type { Price } from '@tollgate/contracts/tools/price';
import { toIso } from '@tollgate/kernel/clock';
import type { Issuer, Parties, BuyerDetails } from './party.ts';

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

/** The lines of an invoice for one tool and period, added up. */
export interface ToolSum {
  readonly toolId: string;
  /** The earlier period of adjustments; null for the invoice's own. */
  readonly adjustmentOf: string | null;
  readonly lines: number;
  readonly chargeMicros: Micros;
}

const text = `
select tool_id, adjustment_of, count(*)::int as lines, sum(charge_micros) as charge_micros
from billing.invoice_line where invoice_id = $1
group by tool_id, adjustment_of
order by sum(charge_micros) desc, tool_id, adjustment_of nulls first limit $2`;

/** Adds up the lines of an invoice by tool. Returns the `limit` highest sums, the highest first. */
export async function sumLinesByTool(tx: Transaction, invoiceId: string, limit: number): Promise<ToolSum[]> {
  const rows = await tx.query<DbToolSum>({ name: 'billing.sum_lines_by_tool', text }, [invoiceId, limit]);
  return rows.map((row) => ({
    toolId: row.tool_id,
    adjustmentOf: row.adjustment_of,
    lines: row.lines,
    chargeMicros: micros(BigInt(row.charge_micros)),
  }));
}

interface DbToolSum {
  readonly tool_id: string;
  readonly adjustment_of: string | null;
  readonly lines: number;
  readonly charge_micros: string;
}

const readPricesText = `select price_id, price from billing.tool_price where price_id = any ($1::uuid[])`;

/** Reads these price versions, by id. A price version never changes. */
export async function readPrices(tx: Transaction, priceIds: readonly string[]): Promise<ReadonlyMap<string, Price>> {
  const statement = { name: 'billing.read_prices', text: readPricesText };
  const rows = await tx.query<{ price_id: string; price: Price }>(statement, [[...new Set(priceIds)]]);
  return new Map(rows.map((row) => [row.price_id, row.price]));
}

const findText = `select details from billing.billing_details where account_id = $1`;

/** Finds what a consumer wants on its next invoices. Undefined if it has given no details. */
export async function findBillingDetails(tx: Transaction, accountId: string): Promise<BuyerDetails | undefined> {
  const statement = { name: 'billing.find_billing_details', text: findText };
  return (await tx.query<{ details: BuyerDetails }>(statement, [accountId]))[0]?.details;
}

const putText = `
insert into billing.billing_details (account_id, details, changed_at) values ($1, $2, $3)
on conflict (account_id) do update set details = excluded.details, changed_at = excluded.changed_at`;

export interface ChangedDetails {
  readonly accountId: string;
  readonly details: BuyerDetails;
  readonly nowMs: number;
}

export async function putBillingDetails(tx: Transaction, { accountId, details, nowMs }: ChangedDetails): Promise<void> {
  const statement = { name: 'billing.put_billing_details', text: putText };
  await tx.query(statement, [accountId, JSON.stringify(details), toIso(nowMs)]);
}
