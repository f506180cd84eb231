import type { SetUpPaymentMethodDeps } from './set-up-payment-method.ts';

/** Gone at the processor first: what is stored here only follows. */
export function createRemovePaymentMethod({ processor, customers }: SetUpPaymentMethodDeps) {
  return async function removePaymentMethod(accountId: string): Promise<void> {
    const known = await customers.find(accountId);
    if (!known) return;
    const { processorCustomerId } = known;
    await processor.customers.removePaymentMethods(processorCustomerId);
    await customers.refresh(processorCustomerId, () => processor.customers.readPaymentMethod(processorCustomerId));
  };
}

export type RemovePaymentMethod = ReturnType<typeof createRemovePaymentMethod>;
