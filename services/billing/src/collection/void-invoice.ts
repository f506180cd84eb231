import type { Actor } from '@tollgate/runtime/http/requests/act';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import { AppError } from '@tollgate/kernel/app-error';
import type { Transaction } from '@tollgate/database/database';
import { formatUsd } from '@tollgate/kernel/money';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import { type Invoice, noSuchInvoice } from '../invoicing/invoice.ts';
import { hasUnsettledAttempt } from '../processor/sql-attempts.ts';
import { lockInvoice, readInvoice, type LockedInvoice, setInvoiceStatus } from '../invoicing/sql-invoices.ts';
import { setBalancePart } from '../balance/set-balance-part.ts';
import { makePartsStray } from './part-payments.ts';
import { writeOffPosting } from './charge-postings.ts';
import { postLedger } from '../ledger/sql-ledger.ts';
import { sumReleaseGroup } from './sql-released-lines.ts';
import type { CollectionDeps } from './pay-invoice.ts';
import { collectCentsMax } from '../processor/processor.ts';
import { isCollectable, setCollectAt, confirmHold, readHold } from './sql-collectable-invoices.ts';

/**
 * Voids an invoice that was never owed, on the operator's order. Throws `not_found`, `invoice_paid`, or
 * `charge_unresolved` while a charge may still pay it. Safe to repeat.
 */
export function createVoidInvoice({ database, clock }: CollectionDeps) {
  return async function voidInvoice(id: string, by: Actor): Promise<Invoice> {
    return database.transaction(async (tx) => {
      const invoice = await lockInvoice(tx, id);
      if (invoice === undefined) throw noSuchInvoice(id);
      if (invoice.status !== 'void') {
        await requireUnpaid(tx, invoice);
        await writeOffInvoice(tx, invoice, { status: 'void', nowMs: clock.now() });
        const object = { kind: 'invoice', id };
        await recordAct(tx, by, { action: 'invoice.voided', accountId: invoice.consumerId, object });
      }
      return (await readInvoice(tx, { consumerId: invoice.consumerId, id })) as Invoice; // it is locked, so it exists
    });
  };
}

async function requireUnpaid(tx: Transaction, { id, status }: Pick<Invoice, 'id' | 'status'>): Promise<void> {
  if (status === 'paid') throw new AppError('invoice_paid', 'The invoice is paid; refund it instead.');
  if (await hasUnsettledAttempt(tx, 'charge', id))
    throw new AppError('charge_unresolved', 'A charge of this invoice may yet succeed; try again later.');
}

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

/**
 * Lets an invoice be charged that is above the bound of one collection, on the operator's order. It is due at once.
 * Throws `not_found`, `invoice_not_held` if it does not wait for that, or `invoice_too_large`. Safe to repeat.
 */
export function createConfirmInvoice({ database, clock }: Pick<CollectionDeps, 'database' | 'clock'>) {
  return async function confirmInvoice(id: string, by: Actor): Promise<Invoice> {
    return database.transaction(async (tx) => {
      const invoice = await lockInvoice(tx, id);
      if (invoice === undefined) throw noSuchInvoice(id);
      const hold = await readHold(tx, id);
      if (hold === 'none' || (hold === 'waiting' && !isCollectable(invoice.status))) throw notHeld();
      if (invoice.totalCents > collectCentsMax) throw tooLarge();
      if (hold === 'waiting') {
        const nowMs = clock.now();
        await confirmHold(tx, id, nowMs);
        await setCollectAt(tx, id, nowMs);
        const object = { kind: 'invoice', id };
        await recordAct(tx, by, { action: 'invoice.confirmed', accountId: invoice.consumerId, object });
      }
      return (await readInvoice(tx, { consumerId: invoice.consumerId, id })) as Invoice; // it is locked, so it exists
    });
  };
}

function tooLarge(): AppError {
  const most = formatUsd(centsToMicros(collectCentsMax));
  const message = `At most ${most} USD are charged for one invoice. Void it, and settle it with the consumer in another way.`;
  return new AppError('invoice_too_large', message);
}

function notHeld(): AppError {
  return new AppError('invoice_not_held', 'The invoice does not wait for a confirmation.');
}
