import { AppError } from '@tollgate/kernel/app-error';
import type { Database } from '@tollgate/database/database';
import type { PaymentMethod, Processor } from './processor.ts';
import { findCustomer } from './sql-customers.ts';

export interface FindPaymentMethodDeps {
  readonly api: Database;
  readonly processor: Pick<Processor, 'name'>;
}

/** Finds the payment method on file. Throws `not_found`. */
export function createFindPaymentMethod({ api, processor }: FindPaymentMethodDeps) {
  return async function findPaymentMethod(accountId: string): Promise<PaymentMethod> {
    const consumer = { consumerId: accountId, processor: processor.name };
    const known = await api.transaction((tx) => findCustomer(tx, consumer), { accountId });
    if (!known?.paymentMethod) throw new AppError('not_found', 'There is no payment method.');
    return known.paymentMethod;
  };
}

export type FindPaymentMethod = ReturnType<typeof createFindPaymentMethod>;
