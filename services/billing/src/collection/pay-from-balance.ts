import type { Transaction } from '@tollgate/database/database';
import { setBalancePart, type WantedPart } from '../balance/set-balance-part.ts';
import type { LockedInvoice } from '../invoicing/sql-invoices.ts';
import { chargeCentsMax } from '../processor/processor.ts';
import { payInvoice, type PaymentTerms } from './pay-invoice.ts';

/**
 * Lets the consumer's balance pay as much of a locked invoice as it can. Returns what is left for the card, or as much of it
 * as one charge may have. If nothing is left, the invoice is paid.
 */
export async function payFromBalance(
  tx: Transaction,
  invoice: LockedInvoice,
  { nowMs, ...terms }: PaymentTerms & { readonly nowMs: number },
): Promise<bigint> {
  const dueCents = invoice.totalCents - invoice.partPaidCents;
  const leftCents = dueCents - (await takeBalance(tx, invoice, { cents: dueCents, nowMs }));
  if (leftCents === 0n) await payInvoice(tx, invoice, { ...terms, paidAtMs: nowMs, chargedCents: 0n });
  return leftCents < chargeCentsMax ? leftCents : chargeCentsMax;
}

/**
 * Lets the balance pay these cents of a locked invoice, or as many as it has. Returns how many. The lines of an uncollectible
 * invoice are out of the ledger, so the balance pays all of them or nothing.
 */
export function takeBalance(tx: Transaction, invoice: LockedInvoice, wanted: WantedPart): Promise<bigint> {
  return setBalancePart(tx, invoice, { ...wanted, isWhole: invoice.status === 'uncollectible' });
}
