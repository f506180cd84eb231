import { isAppError } from '@tollgate/kernel/app-error';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Database, Transaction } from '@tollgate/database/database';
import type { Actor } from '@tollgate/runtime/http/requests/act';
import type { Processor, PayoutAccountStatus, PaymentMethod } from './processor.ts';
import { lockConnectedAccount, setAccountStatus, type LockedAccount } from './sql-connected-accounts.ts';
import type { ProcessorHooks } from './processor-hooks.ts';
import { lockCustomer, setPaymentMethod } from './sql-customers.ts';

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

export interface RefreshAccountDeps {
  /** A connection with the role that sees all accounts. */
  readonly database: Database;
  readonly processor: Pick<Processor, 'name'>;
  readonly log: Pick<Logger, 'warn'>;
}

const bankMessage =
  'the bank of a builder refused a payout from its account at the processor; the builder has to correct it';

/**
 * Replaces an account's status by the result of `read`, which runs under a lock. Without the lock, two runs could store
 * their results in the other order, and the older status would stay. Does nothing for an account that is not ours. Safe
 * to repeat.
 */
export function createRefreshAccount({ database, processor, log }: RefreshAccountDeps) {
  return function refreshAccount(processorAccountId: string, read: () => Promise<PayoutAccountStatus>): Promise<void> {
    const account = { processor: processor.name, processorAccountId };
    return database.transaction(async (tx) => {
      const known = await lockConnectedAccount(tx, account);
      if (known === undefined) return;
      const status = await read(); // only after the lock
      await setAccountStatus(tx, account, status);
      await recordChange(tx, known, status);
      const { bankFailure } = status;
      if (bankFailure === undefined || bankFailure.atMs === known.bankFailedAtMs) return;
      log.warn({ account_id: known.builderId, ...account, failure_code: bankFailure.code }, bankMessage);
    });
  };
}

async function recordChange(tx: Transaction, known: LockedAccount, status: PayoutAccountStatus): Promise<void> {
  const { builderId: accountId } = known;
  const { areDetailsSubmitted, arePayoutsEnabled } = status;
  if (areDetailsSubmitted === known.areDetailsSubmitted && arePayoutsEnabled === known.arePayoutsEnabled) return;
  const detail = { details_submitted: areDetailsSubmitted, payouts_enabled: arePayoutsEnabled };
  const object = { kind: 'payout_account' };
  await recordAct(tx, { kind: 'processor' }, { action: 'payout_account.changed', accountId, object, detail });
}

export type RefreshAccount = ReturnType<typeof createRefreshAccount>;

export interface RefreshCustomerDeps extends Pick<ProcessorHooks, 'onNewPaymentMethod'> {
  /** A connection with the role that sees all customers. */
  readonly database: Database;
  readonly processor: Pick<Processor, 'name'>;
}

/**
 * Replaces a customer's payment method by the result of `read`, for the caller `by` or on the processor's word, under a lock as in `refreshAccount`. Calls the hook for
 * a new payment method. Does nothing for a customer that is not ours. Safe to repeat.
 */
export function createRefreshCustomer({ database, processor, onNewPaymentMethod }: RefreshCustomerDeps) {
  return function refreshCustomer(
    processorCustomerId: string,
    read: () => Promise<PaymentMethod | undefined>,
    by: Actor = { kind: 'processor' },
  ): Promise<void> {
    const customer = { processor: processor.name, processorCustomerId };
    return database.transaction(async (tx) => {
      const known = await lockCustomer(tx, customer);
      if (!known) return;
      const paymentMethod = await read(); // only after the lock
      await setPaymentMethod(tx, customer, paymentMethod);
      if (paymentMethod?.paymentMethodId !== (known.paymentMethodId ?? undefined)) {
        const action = paymentMethod === undefined ? 'payment_method.removed' : 'payment_method.changed';
        await recordAct(tx, by, { action, accountId: known.consumerId, object: { kind: 'payment_method' } });
      }
      const isNew = paymentMethod !== undefined && paymentMethod.paymentMethodId !== known.paymentMethodId;
      if (isNew) await onNewPaymentMethod(tx, known.consumerId);
    });
  };
}

export type RefreshCustomer = ReturnType<typeof createRefreshCustomer>;
