import type { Actor } from '@tollgate/runtime/http/requests/act';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import type { Database } from '@tollgate/database/database';
import type { ProcessorHooks } from './processor-hooks.ts';
import type { PaymentMethod, Processor } from './processor.ts';
import { lockCustomer, setPaymentMethod } from './sql-customers.ts';

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
