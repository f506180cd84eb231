import type { Actor } from '@tollgate/runtime/http/requests/act';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import type { Database, Transaction } from '@tollgate/database/database';
import type { Invoice } from '../invoicing/invoice.ts';
import { noSuchInvoice } from '../invoicing/no-such-invoice.ts';
import { hasUnsettledAttempt } from '../processor/sql-attempts.ts';
import { lockInvoice, readInvoice } from '../invoicing/sql-invoices.ts';
import { writeOffInvoice } from './write-off-invoice.ts';

export interface VoidDeps {
  readonly database: Database;
  readonly clock: Clock;
}

/**
 * Voids an invoice that was never owed, on the operator's order. Throws `not_found`, `invoice_paid`, or
 * `charge_unresolved` while a charge may still pay it. Safe to repeat.
 */
export function createVoidInvoice({ database, clock }: VoidDeps) {
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

export type VoidInvoice = ReturnType<typeof createVoidInvoice>;

async function requireUnpaid(tx: Transaction, { id, status }: Pick<Invoice, 'id' | 'status'>): Promise<void> {
  if (status === 'paid') throw new AppError('invoice_paid', 'The invoice is paid; refund it instead.');
  if (await hasUnsettledAttempt(tx, 'charge', id))
    throw new AppError('charge_unresolved', 'A charge of this invoice may yet succeed; try again later.');
}
