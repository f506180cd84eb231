import { toIso } from '@tollgate/kernel/clock';
import type { CustomerStore } from './processor-stores.ts';
import type { ProcessorHooks } from './processor-hooks.ts';
import { fromDbCard, toDbCard, type DbCard } from './db-card.ts';
import type { ProcessorStoreOptions } from './pg-connected-accounts.ts';

type Row = DbCard & { readonly processor_customer_id: string };

interface LockedRow {
  readonly account_id: string;
  readonly payment_method_id: string | null;
}

const findText = `
select processor_customer_id, payment_method_id, brand, last4, exp_month, exp_year
from billing.processor_customer where account_id = $1 and processor = $2`;

const addText = `
insert into billing.processor_customer (account_id, processor, processor_customer_id, created_at) values ($1, $2, $3, $4)
on conflict (account_id, processor) do nothing`;

const lockText = `
select account_id, payment_method_id from billing.processor_customer where processor = $1 and processor_customer_id = $2 for update`;

const setPaymentMethodText = `
update billing.processor_customer
set payment_method_id = $3, brand = $4, last4 = $5, exp_month = $6, exp_year = $7
where processor = $1 and processor_customer_id = $2`;

export type CustomerStoreOptions = ProcessorStoreOptions & Pick<ProcessorHooks, 'onNewPaymentMethod'>;

export function createPgCustomers(options: CustomerStoreOptions): CustomerStore {
  const { api, worker, processor, clock, onNewPaymentMethod } = options;
  return {
    async find(accountId) {
      const [row] = await api.transaction((tx) => tx.query<Row>(findText, [accountId, processor]), { accountId });
      return row && { processorCustomerId: row.processor_customer_id, paymentMethod: fromDbCard(row) };
    },
    async add(accountId, processorCustomerId) {
      const values = [accountId, processor, processorCustomerId, toIso(clock.now())];
      await api.transaction((tx) => tx.query(addText, values), { accountId });
    },
    refresh: (processorCustomerId, read) =>
      worker.transaction(async (tx) => {
        const [known] = await tx.query<LockedRow>(lockText, [processor, processorCustomerId]);
        if (!known) return;
        const paymentMethod = await read(); // after the lock: see the port
        await tx.query(setPaymentMethodText, [processor, processorCustomerId, ...toDbCard(paymentMethod)]);
        const isNew = paymentMethod !== undefined && paymentMethod.paymentMethodId !== known.payment_method_id;
        if (isNew) await onNewPaymentMethod(tx, known.account_id);
      }),
  };
}
