import type { Actor } from '@tollgate/runtime/http/requests/act';
import type { Database } from '@tollgate/database/database';
import type { Processor } from './processor.ts';
import type { RefreshCustomer } from './refresh-customer.ts';
import { findCustomer } from './sql-customers.ts';

export interface RemovePaymentMethodDeps {
  readonly api: Database;
  readonly processor: Pick<Processor, 'name' | 'customers'>;
  readonly refreshCustomer: RefreshCustomer;
}

/** Removes the payment method at the processor first, and then here. Does nothing if there is none. */
export function createRemovePaymentMethod({ api, processor, refreshCustomer }: RemovePaymentMethodDeps) {
  const { name, customers } = processor;
  return async function removePaymentMethod(accountId: string, by: Actor): Promise<void> {
    const consumer = { consumerId: accountId, processor: name };
    const known = await api.transaction((tx) => findCustomer(tx, consumer), { accountId });
    if (!known) return;
    const { processorCustomerId } = known;
    await customers.removePaymentMethods(processorCustomerId);
    await refreshCustomer(processorCustomerId, () => customers.readPaymentMethod(processorCustomerId), by);
  };
}

export type RemovePaymentMethod = ReturnType<typeof createRemovePaymentMethod>;
