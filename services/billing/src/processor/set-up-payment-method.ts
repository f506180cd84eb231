import type { Clock } from '@tollgate/kernel/clock';
import type { Database } from '@tollgate/database/database';
import type { HostedLink, Processor } from './processor.ts';
import { addCustomer, findCustomer, mustConfirm } from './sql-customers.ts';

export interface SetUpPaymentMethodDeps {
  readonly api: Database;
  readonly processor: Pick<Processor, 'name' | 'customers'>;
  readonly clock: Clock;
}

export interface SetUpRequest {
  readonly accountId: string;
  readonly returnUrl: string;
}

/**
 * Returns a link to enter a payment method, and to confirm it where a bank has asked for that. It is for the only customer
 * that this consumer has at the processor. Customers
 * are created like payout accounts: there first, then here, under a derived key.
 */
export function createSetUpPaymentMethod({ api, processor, clock }: SetUpPaymentMethodDeps) {
  const { name, customers } = processor;

  return async function setUpPaymentMethod({ accountId, returnUrl }: SetUpRequest): Promise<HostedLink> {
    const consumer = { consumerId: accountId, processor: name };
    const [known, confirms] = await api.transaction(
      async (tx) => [await findCustomer(tx, consumer), await mustConfirm(tx, accountId)] as const,
      { accountId },
    );
    const processorCustomerId = known?.processorCustomerId ?? (await create(accountId));
    return customers.createSetupLink({ processorCustomerId, returnUrl, confirms });
  };

  async function create(accountId: string): Promise<string> {
    const keyed = { idempotencyKey: `customer:${accountId}`, reference: accountId };
    const { processorCustomerId } = await customers.create(keyed);
    const added = { consumerId: accountId, processor: name, processorCustomerId, createdAtMs: clock.now() };
    await api.transaction((tx) => addCustomer(tx, added), { accountId });
    return processorCustomerId;
  }
}

export type SetUpPaymentMethod = ReturnType<typeof createSetUpPaymentMethod>;
