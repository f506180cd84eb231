import type { Actor } from '@tollgate/runtime/http/requests/act';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import { formatUsd } from '@tollgate/kernel/money';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import type { Database } from '@tollgate/database/database';
import type { Invoice } from '../invoicing/invoice.ts';
import { noSuchInvoice } from '../invoicing/no-such-invoice.ts';
import { lockInvoice, readInvoice } from '../invoicing/sql-invoices.ts';
import { collectCentsMax } from '../processor/processor.ts';
import { isCollectable } from './collectable.ts';
import { setCollectAt } from './sql-collectable-invoices.ts';
import { confirmHold, readHold } from './sql-held-invoices.ts';

export interface ConfirmDeps {
  readonly database: Database;
  readonly clock: Clock;
}

/**
 * Lets an invoice be charged that is above the bound of one collection, on the operator's order. It is due at once.
 * Throws `not_found`, `invoice_not_held` if it does not wait for that, or `invoice_too_large`. Safe to repeat.
 */
export function createConfirmInvoice({ database, clock }: ConfirmDeps) {
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

export type ConfirmInvoice = ReturnType<typeof createConfirmInvoice>;

function tooLarge(): AppError {
  const most = formatUsd(centsToMicros(collectCentsMax));
  const message = `At most ${most} USD are charged for one invoice. Void it, and settle it with the consumer in another way.`;
  return new AppError('invoice_too_large', message);
}

function notHeld(): AppError {
  return new AppError('invoice_not_held', 'The invoice does not wait for a confirmation.');
}
