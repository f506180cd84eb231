import type { Transaction } from '@tollgate/database/database';
import type { BalancePart } from './invoice.ts';

// A refund that goes back to the balance changes nothing of what was paid.
const text = `
select m.invoice_id, c.credit_id, c.top_up_id, -sum(m.amount_cents)::bigint as cents, p.from_at, p.to_at
from billing.balance_move m join billing.balance_credit c using (credit_id)
left join lateral (select min(l.from_at) as from_at, max(l.to_at) as to_at from billing.laid_part l
  where l.invoice_id = m.invoice_id and l.credit_id = c.credit_id) p on true
where m.invoice_id = any ($1::uuid[]) and m.business_key not like 'refund:%'
group by m.invoice_id, c.credit_id, p.from_at, p.to_at having sum(m.amount_cents) < 0
order by m.invoice_id, (c.top_up_id is not null), c.ends_at nulls last, c.created_at, c.credit_id`;

interface Row {
  readonly invoice_id: string;
  readonly credit_id: string;
  readonly top_up_id: string | null;
  readonly cents: bigint;
  readonly from_at: Date | null;
  readonly to_at: Date | null;
}

/** Which credits paid which parts of these invoices. */
export async function readBalanceParts(
  tx: Transaction,
  invoiceIds: readonly string[],
): Promise<ReadonlyMap<string, BalancePart[]>> {
  if (invoiceIds.length === 0) return new Map();
  const rows = await tx.query<Row>({ name: 'billing.read_balance_parts', text }, [invoiceIds]);
  const byInvoice = Map.groupBy(rows, ({ invoice_id: invoiceId }) => invoiceId);
  return new Map([...byInvoice].map(([invoiceId, parts]) => [invoiceId, parts.map(fromRow)]));
}

function fromRow({ credit_id: creditId, top_up_id: topUpId, cents, from_at: from, to_at: to }: Row): BalancePart {
  const calls = from === null || to === null ? null : { startMs: from.getTime(), endMs: to.getTime() };
  return { creditId, topUpId, cents, calls };
}
