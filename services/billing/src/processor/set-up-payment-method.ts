import type { HostedLink, Processor } from './processor.ts';
import type { CustomerStore } from './processor-stores.ts';

export interface SetUpPaymentMethodDeps {
  readonly processor: Pick<Processor, 'customers'>;
  readonly customers: CustomerStore;
}

export interface SetUpRequest {
  readonly accountId: string;
  readonly returnUrl: string;
}

/** A link to enter a payment method, for the one customer that this consumer is at the processor; made as accounts are. */
export function createSetUpPaymentMethod({ processor, customers }: SetUpPaymentMethodDeps) {
  return async function setUpPaymentMethod({ accountId, returnUrl }: SetUpRequest): Promise<HostedLink> {
    const known = await customers.find(accountId);
    const processorCustomerId = known?.processorCustomerId ?? (await create(accountId));
    return processor.customers.createSetupLink({ processorCustomerId, returnUrl });
  };

  async function create(accountId: string): Promise<string> {
    const keyed = { idempotencyKey: `customer:${accountId}`, reference: accountId };
    const { processorCustomerId } = await processor.customers.create(keyed);
    await customers.add(accountId, processorCustomerId);
    return processorCustomerId;
  }
}

export type SetUpPaymentMethod = ReturnType<typeof createSetUpPaymentMethod>;
