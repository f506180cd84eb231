import { nilUuid } from '@tollgate/kernel/uuid';
import { toIso } from '@tollgate/kernel/clock';
import type { Queryable, Transaction } from '@tollgate/database/database';
import { collectableStatuses } from './collectable.ts';

const listText = `
select i.invoice_id, i.collect_at from billing.invoice i
where i.collect_at <= $1 and i.status = any ($2) and (i.collect_at, i.invoice_id) > ($3, $4)
  and not exists (select from billing.processor_attempt a
    where a.kind = 'charge' and a.subject_id = i.invoice_id and a.status = 'unknown')
order by i.collect_at, i.invoice_id limit $5`;

const setCollectAtText = `update billing.invoice set collect_at = $2 where invoice_id = $1`;

const collectSoonText = `
update billing.invoice set collect_at = $2 where consumer_id = $1 and status = any ($3)`;

const chargeableText = `
select processor_customer_id, payment_method_id from billing.processor_customer
where account_id = $1 and processor = $2 and payment_method_id is not null`;

export interface DueInvoice {
  readonly id: string;
  readonly collectAtMs: number;
}

export interface DueInvoicesQuery {
  readonly nowMs: number;
  /** The one before the first that is wanted. */
  readonly after: DueInvoice | undefined;
  readonly limit: number;
}

/** Those to collect by now, the longest waiting first, without those of which a charge's outcome is unknown. */
export async function listInvoicesToCollect(db: Queryable, query: DueInvoicesQuery): Promise<DueInvoice[]> {
  const { nowMs, after, limit } = query;
  const position = after ? [toIso(after.collectAtMs), after.id] : ['-infinity', nilUuid];
  const rows = await db.query<{ invoice_id: string; collect_at: Date }>(listText, [
    toIso(nowMs),
    collectableStatuses,
    ...position,
    limit,
  ]);
  return rows.map((row) => ({ id: row.invoice_id, collectAtMs: row.collect_at.getTime() }));
}

export async function setCollectAt(tx: Transaction, id: string, collectAtMs: number | null): Promise<void> {
  const collectAt = collectAtMs === null ? null : toIso(collectAtMs);
  await tx.query({ name: 'set-collect-at', text: setCollectAtText }, [id, collectAt]);
}

/** All that this consumer owes. */
export async function collectAllAt(tx: Transaction, consumerId: string, collectAtMs: number): Promise<void> {
  await tx.query(collectSoonText, [consumerId, toIso(collectAtMs), collectableStatuses]);
}

export interface ChargeableCustomer {
  readonly processorCustomerId: string;
  readonly paymentMethodId: string;
}

/** Undefined: there is no payment method. */
export async function findChargeableCustomer(
  tx: Transaction,
  of: { readonly consumerId: string; readonly processor: string },
): Promise<ChargeableCustomer | undefined> {
  const [row] = await tx.query<{ processor_customer_id: string; payment_method_id: string }>(
    { name: 'find-chargeable-customer', text: chargeableText },
    [of.consumerId, of.processor],
  );
  return row && { processorCustomerId: row.processor_customer_id, paymentMethodId: row.payment_method_id };
}
