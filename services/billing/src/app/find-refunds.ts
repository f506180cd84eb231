import type { Database } from '@tollgate/runtime/postgres/database';
import { noSuchInvoice } from '../domain/no-such-invoice.ts';
import type { Refund } from '../domain/refunds/refund.ts';
import { hasInvoice } from '../sql/has-invoice.ts';
import { listRefunds } from '../sql/refunds.ts';

/** For the operator: of whosever invoice. */
export function createFindRefunds({ database }: { readonly database: Database }) {
  return async function findRefunds(invoiceId: string): Promise<Refund[]> {
    if (!(await hasInvoice(database, invoiceId))) throw noSuchInvoice();
    return listRefunds(database, invoiceId);
  };
}

export type FindRefunds = ReturnType<typeof createFindRefunds>;
