import type { Transaction } from '@tollgate/database/database';
import { setBalancePart } from '../balance/set-balance-part.ts';
import { makePartsStray } from './part-payments.ts';
import { writeOffPosting } from './write-off-posting.ts';
import { type LockedInvoice, setInvoiceStatus } from '../invoicing/sql-invoices.ts';
import { postLedger } from '../ledger/sql-ledger.ts';
import { sumReleaseGroup } from './sql-released-lines.ts';

export interface WritingOff {
  readonly status: 'uncollectible' | 'void';
  readonly nowMs: number;
}

/**
 * Sets a locked invoice to `uncollectible` or `void`, and takes its lines out of the ledger. An uncollectible invoice
 * has already been taken out. The part that the consumer's balance paid goes back to it. What charges
 * have paid waits on: the consumer may pay the rest. It becomes stray money if the invoice is void.
 */
export async function writeOffInvoice(tx: Transaction, invoice: LockedInvoice, to: WritingOff): Promise<void> {
  await setInvoiceStatus(tx, invoice.id, { status: to.status });
  await setBalancePart(tx, invoice, { cents: 0n, nowMs: to.nowMs });
  if (to.status === 'void') await makePartsStray(tx, invoice, to.nowMs);
  if (invoice.status === 'uncollectible') return;
  const lines = await sumReleaseGroup(tx, invoice);
  const { id: invoiceId, consumerId } = invoice;
  await postLedger(tx, [writeOffPosting({ invoiceId, consumerId, lines, occurredAtMs: to.nowMs })]);
}
