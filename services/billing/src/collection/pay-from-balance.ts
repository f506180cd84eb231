import type { Transaction } from '@tollgate/database/database';
import { setBalancePart } from '../balance/set-balance-part.ts';
import type { FeeScope } from '../fees/fee-scope.ts';
import type { LockedInvoice } from '../invoicing/sql-invoices.ts';
import { payInvoice } from './pay-invoice.ts';

/**
 * Lets the consumer's balance pay as much of a locked invoice as it can. Returns what is left for the card. If nothing is
 * left, the invoice is paid.
 */
export async function payFromBalance(
  tx: Transaction,
  invoice: LockedInvoice,
  { scope, nowMs }: { readonly scope: FeeScope; readonly nowMs: number },
): Promise<bigint> {
  const leftCents = invoice.totalCents - (await takeBalance(tx, invoice, nowMs));
  if (leftCents === 0n) await payInvoice(tx, invoice, { scope, paidAtMs: nowMs, chargedCents: 0n });
  return leftCents;
}

/** The lines of an uncollectible invoice are out of the ledger, so the balance pays all of it or nothing. */
async function takeBalance(tx: Transaction, invoice: LockedInvoice, nowMs: number): Promise<bigint> {
  const { status, totalCents } = invoice;
  const taken = await setBalancePart(tx, invoice, { cents: totalCents, nowMs });
  if (status !== 'uncollectible' || taken === totalCents) return taken;
  return setBalancePart(tx, invoice, { cents: 0n, nowMs });
}
