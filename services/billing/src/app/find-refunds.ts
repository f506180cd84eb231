import { AppError } from '@tollgate/kernel/app-error';
import type { Database } from '@tollgate/runtime/postgres/database';
import type { Refund } from '../domain/refunds/refund.ts';
import { lockInvoice } from '../sql/lock-invoice.ts';
import { listRefunds } from '../sql/refunds.ts';

/** For the operator: of whosever invoice. */
export function createFindRefunds({ database }: { readonly database: Database }) {
  return function findRefunds(invoiceId: string): Promise<Refund[]> {
    return database.transaction(async (tx) => {
      if (!(await lockInvoice(tx, invoiceId)))
        throw new AppError('not_found', 'not_found', 'There is no such invoice.');
      return listRefunds(tx, invoiceId);
    });
  };
}

export type FindRefunds = ReturnType<typeof createFindRefunds>;
