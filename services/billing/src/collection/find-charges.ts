import type { Database } from '@tollgate/database/database';
import type { Attempt } from '../processor/attempt.ts';
import { noSuchInvoice } from '../invoicing/no-such-invoice.ts';
import { listAttempts } from '../processor/sql-attempts.ts';
import { hasInvoice } from '../invoicing/sql-invoices.ts';

/** Lists the attempts to charge any consumer's invoice, in their order, for the operator. Throws `not_found`. */
export function createFindCharges({ database }: { readonly database: Database }) {
  return function findCharges(invoiceId: string): Promise<Attempt[]> {
    return database.transaction(async (tx) => {
      if (!(await hasInvoice(tx, invoiceId))) throw noSuchInvoice(invoiceId);
      return listAttempts(tx, 'charge', invoiceId);
    });
  };
}

export type FindCharges = ReturnType<typeof createFindCharges>;
