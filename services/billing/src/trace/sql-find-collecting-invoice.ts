import type { Transaction } from '@tollgate/database/database';

export interface CollectingInvoice {
  readonly id: string;
  /** When billing charges the invoice next by itself. Null if it never will again, or if a charge is in progress. */
  readonly collectAtMs: number | null;
}

const text = `
select invoice_id, collect_at from billing.invoice
where consumer_id = $1 and period >= $2 and total_cents > 0
order by period limit 1`;

/**
 * Finds the invoice that collects the charges of this period's invoice: itself, or the next one that bills anything.
 */
export async function findCollectingInvoice(
  tx: Transaction,
  of: { readonly consumerId: string; readonly period: string },
): Promise<CollectingInvoice | undefined> {
  const [row] = await tx.query<{ invoice_id: string; collect_at: Date | null }>(
    { name: 'billing.find_collecting_invoice', text },
    [of.consumerId, of.period],
  );
  return row && { id: row.invoice_id, collectAtMs: row.collect_at?.getTime() ?? null };
}
