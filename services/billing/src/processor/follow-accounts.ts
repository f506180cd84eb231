import { isAppError } from '@tollgate/kernel/app-error';
import type { Processor } from './processor.ts';
import type { ConnectedAccountStore, CustomerStore } from './processor-stores.ts';

export interface FollowAccountsDeps {
  readonly processor: Pick<Processor, 'payoutAccounts' | 'customers'>;
  readonly accounts: Pick<ConnectedAccountStore, 'refresh'>;
  readonly customers: Pick<CustomerStore, 'refresh'>;
}

/**
 * Reads an account or a customer at the processor again and writes down what it is now. One that is gone there takes no
 * payouts, or has nothing to be charged: so it stands here too, and no webhook of its end waits for ever.
 */
export function createFollowAccounts({ processor, accounts, customers }: FollowAccountsDeps) {
  const { payoutAccounts, customers: payers } = processor;
  return {
    account: (id: string) => accounts.refresh(id, () => orIfGone(payoutAccounts.read(id), closed)),
    customer: (id: string) => customers.refresh(id, () => orIfGone(payers.readPaymentMethod(id), undefined)),
  };
}

const closed = { areDetailsSubmitted: false, arePayoutsEnabled: false };

function orIfGone<Found>(reading: Promise<Found>, gone: Found): Promise<Found> {
  return reading.catch((error: unknown) => {
    if (isAppError(error, 'not_found')) return gone;
    throw error;
  });
}
