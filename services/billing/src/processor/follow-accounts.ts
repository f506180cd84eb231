import { isAppError } from '@tollgate/kernel/app-error';
import type { Processor } from './processor.ts';
import type { RefreshAccount } from './refresh-account.ts';
import type { RefreshCustomer } from './refresh-customer.ts';

export interface FollowAccountsDeps {
  readonly processor: Pick<Processor, 'payoutAccounts' | 'customers'>;
  readonly refreshAccount: RefreshAccount;
  readonly refreshCustomer: RefreshCustomer;
}

/**
 * Reads an account or a customer at the processor again and stores its state. An account that is gone there takes no
 * payouts, and a customer that is gone has no payment method. So a webhook about its end can be applied.
 */
export function createFollowAccounts({ processor, refreshAccount, refreshCustomer }: FollowAccountsDeps) {
  const { payoutAccounts, customers } = processor;
  return {
    account: (id: string) => refreshAccount(id, () => orIfGone(payoutAccounts.read(id), closed)),
    customer: (id: string) => refreshCustomer(id, () => orIfGone(customers.readPaymentMethod(id), undefined)),
  };
}

const closed = { areDetailsSubmitted: false, arePayoutsEnabled: false };

function orIfGone<Found>(reading: Promise<Found>, gone: Found): Promise<Found> {
  return reading.catch((error: unknown) => {
    if (isAppError(error, 'not_found')) return gone;
    throw error;
  });
}
