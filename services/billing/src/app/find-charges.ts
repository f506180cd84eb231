import { AppError } from '@tollgate/kernel/app-error';
import type { Database } from '@tollgate/runtime/postgres/database';
import type { Attempt } from '../domain/attempts/attempt.ts';
import { listAttempts } from '../sql/attempts.ts';
import { lockInvoice } from '../sql/lock-invoice.ts';

/** For the operator: how it was tried to collect whosever invoice, in that order. */
export function createFindCharges({ database }: { readonly database: Database }) {
  return function findCharges(invoiceId: string): Promise<Attempt[]> {
    return database.transaction(async (tx) => {
      if (!(await lockInvoice(tx, invoiceId)))
        throw new AppError('not_found', 'not_found', 'There is no such invoice.');
      return listAttempts(tx, 'charge', invoiceId);
    });
  };
}

export type FindCharges = ReturnType<typeof createFindCharges>;
