import type { Clock } from '@tollgate/kernel/clock';
import type { Database } from '@tollgate/database/database';
import { AppError } from '@tollgate/kernel/app-error';
import type { Actor } from '@tollgate/runtime/http/requests/act';
import type { HostedLink, Processor, PaymentMethod } from './processor.ts';
import { addCustomer, findCustomer, mustConfirm } from './sql-customers.ts';
import type { RefreshCustomer } from './follow-accounts.ts';

export interface PaymentMethodsDeps {
  readonly api: Database;
  readonly processor: Pick<Processor, 'name' | 'customers'>;
  readonly refreshCustomer: RefreshCustomer;
  readonly clock: Clock;
}

export interface SetUpRequest {
  readonly accountId: string;
  readonly returnUrl: string;
}

/** Creates what consumers ask of their payment methods at the processor. */
export function createPaymentMethods({ api, processor, refreshCustomer, clock }: PaymentMethodsDeps) {
  const { name, customers } = processor;

  return { setUpPaymentMethod, findPaymentMethod, removePaymentMethod };

  /**
   * Returns a link to enter a payment method, and to confirm it where a bank has asked for that. It is for the only customer
   * that this consumer has at the processor. Customers
   * are created like payout accounts: there first, then here, under a derived key.
   */
  async function setUpPaymentMethod({ accountId, returnUrl }: SetUpRequest): Promise<HostedLink> {
    const consumer = { consumerId: accountId, processor: name };
    const [known, confirms] = await api.transaction(
      async (tx) => [await findCustomer(tx, consumer), await mustConfirm(tx, accountId)] as const,
      { accountId },
    );
    const processorCustomerId = known?.processorCustomerId ?? (await create(accountId));
    return customers.createSetupLink({ processorCustomerId, returnUrl, confirms });
  }

  async function create(accountId: string): Promise<string> {
    const keyed = { idempotencyKey: `customer:${accountId}`, reference: accountId };
    const { processorCustomerId } = await customers.create(keyed);
    const added = { consumerId: accountId, processor: name, processorCustomerId, createdAtMs: clock.now() };
    await api.transaction((tx) => addCustomer(tx, added), { accountId });
    return processorCustomerId;
  }

  /** Finds the payment method on file. Throws `not_found`. */
  async function findPaymentMethod(accountId: string): Promise<PaymentMethod> {
    const consumer = { consumerId: accountId, processor: processor.name };
    const known = await api.transaction((tx) => findCustomer(tx, consumer), { accountId });
    if (!known?.paymentMethod) throw new AppError('not_found', 'There is no payment method.');
    return known.paymentMethod;
  }

  /** Removes the payment method at the processor first, and then here. Does nothing if there is none. */
  async function removePaymentMethod(accountId: string, by: Actor): Promise<void> {
    const consumer = { consumerId: accountId, processor: name };
    const known = await api.transaction((tx) => findCustomer(tx, consumer), { accountId });
    if (!known) return;
    const { processorCustomerId } = known;
    await customers.removePaymentMethods(processorCustomerId);
    await refreshCustomer(processorCustomerId, () => customers.readPaymentMethod(processorCustomerId), by);
  }
}

export type PaymentMethods = ReturnType<typeof createPaymentMethods>;
