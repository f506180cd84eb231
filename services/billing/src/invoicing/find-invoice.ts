import { AppError } from '@tollgate/kernel/app-error';
import type { Database } from '@tollgate/database/database';
import type { Invoice } from './invoice.ts';
import { readInvoice } from './sql-invoices.ts';

export interface OwnInvoice {
  readonly consumerId: string;
  readonly id: string;
}

/** Finds an invoice of this consumer. Throws `not_found` for an unknown id, and for an invoice of another consumer. */
export function createFindInvoice({ database }: { readonly database: Database }) {
  return async function findInvoice({ consumerId, id }: OwnInvoice): Promise<Invoice> {
    const invoice = await database.transaction((tx) => readInvoice(tx, { consumerId, id }), { accountId: consumerId });
    if (invoice === undefined) throw invoiceNotFound(id);
    return invoice;
  };
}

export type FindInvoice = ReturnType<typeof createFindInvoice>;

export function invoiceNotFound(id: string): AppError {
  return new AppError('not_found', `You have no invoice \`${id}\`.`);
}
