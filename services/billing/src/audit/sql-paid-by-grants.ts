import type { Transaction } from '@tollgate/database/database';
import type { ReconcileScope } from './reconciliation.ts';

const text = `
select i.invoice_id, i.number, i.consumer_id, i.total_cents::bigint, p.credit_id, sum(p.cents)::bigint as cents
from billing.laid_part p join billing.invoice i using (invoice_id)
where i.period = $1 and ($2::uuid is null or i.consumer_id = $2)
group by i.invoice_id, p.credit_id order by i.number, p.credit_id`;

interface Row {
  readonly invoice_id: string;
  readonly number: bigint;
  readonly consumer_id: string;
  readonly total_cents: bigint;
  readonly credit_id: string;
  readonly cents: bigint;
}

export interface PaidByGrants {
  readonly id: string;
  readonly number: bigint;
  readonly accountId: string;
  readonly totalCents: bigint;
  /** Cents by credit. */
  readonly paid: ReadonlyMap<string, bigint>;
}

/** The invoices of a period that grants have paid, or parts of them. */
export async function listPaidByGrants(
  tx: Transaction,
  { period, accountId }: ReconcileScope,
): Promise<PaidByGrants[]> {
  const rows = await tx.query<Row>({ name: 'billing.list_paid_by_grants', text }, [period, accountId ?? null]);
  return [...Map.groupBy(rows, ({ invoice_id: id }) => id).values()].flatMap((parts) => {
    const [first] = parts;
    if (first === undefined) return [];
    const { invoice_id: id, number, consumer_id: consumerId, total_cents: totalCents } = first;
    const paid = new Map(parts.map(({ credit_id: creditId, cents }) => [creditId, cents]));
    return [{ id, number, accountId: consumerId, totalCents, paid }];
  });
}
