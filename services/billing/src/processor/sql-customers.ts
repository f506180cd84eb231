import { toIso } from '@tollgate/kernel/clock';
import type { Transaction } from '@tollgate/database/database';
import type { PaymentMethod } from './processor.ts';

/** The columns of a card on file. All have values, or none. */
export interface DbCard {
  readonly payment_method_id: string | null;
  readonly brand: string | null;
  readonly last4: string | null;
  readonly exp_month: number | null;
  readonly exp_year: number | null;
}

export function fromDbCard({
  payment_method_id,
  brand,
  last4,
  exp_month,
  exp_year,
}: DbCard): PaymentMethod | undefined {
  if (payment_method_id === null || brand === null || last4 === null) return undefined;
  if (exp_month === null || exp_year === null) return undefined;
  return { paymentMethodId: payment_method_id, brand, last4, expMonth: exp_month, expYear: exp_year };
}

/** The values of the columns, in the order of `DbCard`. */
function toDbCard(card: PaymentMethod | undefined): readonly (string | number | null)[] {
  if (!card) return [null, null, null, null, null];
  return [card.paymentMethodId, card.brand, card.last4, card.expMonth, card.expYear];
}

export interface KnownCustomer {
  readonly processorCustomerId: string;
  readonly paymentMethod: PaymentMethod | undefined;
}

/** A consumer at one processor. */
export interface ConsumerAt {
  readonly consumerId: string;
  readonly processor: string;
}

/** A customer, by its id at the processor. */
export interface CustomerAt {
  readonly processor: string;
  readonly processorCustomerId: string;
}

type Row = DbCard & { readonly processor_customer_id: string };

const findText = `
select processor_customer_id, payment_method_id, brand, last4, exp_month, exp_year
from billing.processor_customer where account_id = $1 and processor = $2`;

export async function findCustomer(
  tx: Transaction,
  { consumerId, processor }: ConsumerAt,
): Promise<KnownCustomer | undefined> {
  const statement = { name: 'billing.find_customer', text: findText };
  const [row] = await tx.query<Row>(statement, [consumerId, processor]);
  return row && { processorCustomerId: row.processor_customer_id, paymentMethod: fromDbCard(row) };
}

const mustConfirmText = `
select 1 from billing.invoice where consumer_id = $1 and waits_for = 'authentication'
  and status in ('open', 'past_due', 'uncollectible') limit 1`;

/** Says whether a bank wants this consumer to confirm before it pays an invoice. */
export async function mustConfirm(tx: Transaction, consumerId: string): Promise<boolean> {
  return (await tx.query({ name: 'billing.must_confirm', text: mustConfirmText }, [consumerId])).length > 0;
}

export interface ChargeableCustomer {
  readonly processorCustomerId: string;
  readonly paymentMethodId: string;
}

const chargeableText = `
select processor_customer_id, payment_method_id from billing.processor_customer
where account_id = $1 and processor = $2 and payment_method_id is not null`;

/** Finds the customer to charge. Undefined if it has no payment method. */
export async function findChargeableCustomer(
  tx: Transaction,
  { consumerId, processor }: ConsumerAt,
): Promise<ChargeableCustomer | undefined> {
  const statement = { name: 'billing.find_chargeable_customer', text: chargeableText };
  const values = [consumerId, processor];
  const [row] = await tx.query<{ processor_customer_id: string; payment_method_id: string }>(statement, values);
  return row && { processorCustomerId: row.processor_customer_id, paymentMethodId: row.payment_method_id };
}

const addText = `
insert into billing.processor_customer (account_id, processor, processor_customer_id, created_at) values ($1, $2, $3, $4)
on conflict (account_id, processor) do nothing`;

/** Stores a new customer. If two calls come at once, the first one stays. */
export async function addCustomer(
  tx: Transaction,
  added: ConsumerAt & CustomerAt & { readonly createdAtMs: number },
): Promise<void> {
  const { consumerId, processor, processorCustomerId, createdAtMs } = added;
  await tx.query(addText, [consumerId, processor, processorCustomerId, toIso(createdAtMs)]);
}

export interface LockedCustomer {
  readonly consumerId: string;
  readonly paymentMethodId: string | null;
}

const lockText = `
select account_id, payment_method_id from billing.processor_customer where processor = $1 and processor_customer_id = $2 for update`;

/** Locks the customer until the transaction ends. Undefined if it is not ours. */
export async function lockCustomer(
  tx: Transaction,
  { processor, processorCustomerId }: CustomerAt,
): Promise<LockedCustomer | undefined> {
  const values = [processor, processorCustomerId];
  const [row] = await tx.query<{ account_id: string; payment_method_id: string | null }>(lockText, values);
  return row && { consumerId: row.account_id, paymentMethodId: row.payment_method_id };
}

const setPaymentMethodText = `
update billing.processor_customer
set payment_method_id = $3, brand = $4, last4 = $5, exp_month = $6, exp_year = $7
where processor = $1 and processor_customer_id = $2`;

export async function setPaymentMethod(
  tx: Transaction,
  { processor, processorCustomerId }: CustomerAt,
  paymentMethod: PaymentMethod | undefined,
): Promise<void> {
  await tx.query(setPaymentMethodText, [processor, processorCustomerId, ...toDbCard(paymentMethod)]);
}

const isSuspendedText = `
select from auth.account_suspension_v1 where account_id = $1 and resumed_at is null`;

/**
 * Whether the operator has cut the account off. No charge and no transfer of it begins then; what is due stays due, and
 * goes on when the account is resumed.
 */
export async function isSuspended(tx: Transaction, accountId: string): Promise<boolean> {
  return (await tx.query({ name: 'billing.is_suspended', text: isSuspendedText }, [accountId])).length > 0;
}
