import { AppError } from '@tollgate/kernel/app-error';
import type { PaymentMethod } from './processor.ts';
import type { CustomerStore } from './processor-stores.ts';

export function createFindPaymentMethod({ customers }: { customers: CustomerStore }) {
  return async function findPaymentMethod(accountId: string): Promise<PaymentMethod> {
    const known = await customers.find(accountId);
    if (!known?.paymentMethod) throw new AppError('not_found', 'There is no payment method.');
    return known.paymentMethod;
  };
}

export type FindPaymentMethod = ReturnType<typeof createFindPaymentMethod>;
