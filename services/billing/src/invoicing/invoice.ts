import { AppError } from '@tollgate/kernel/app-error';
import type { InvoicePlan } from './plan-invoice.ts';

/** The status in the database. An invoice that bills 0 is `paid` there from the start, so that nothing collects it. */
export type StoredInvoiceStatus = 'open' | 'paid' | 'past_due' | 'uncollectible' | 'void';

/** `carried`: it bills 0, and its amount goes to the next invoice. */
export type InvoiceStatus = StoredInvoiceStatus | 'carried';

/**
 * The step that the consumer must take before an invoice is charged again: set up another payment method, or confirm.
 */
export type WaitsFor = 'payment_method' | 'authentication';

/** `confirmation`: it is above the bound of one collection, and waits for the operator. */
export type HeldFor = 'confirmation' | WaitsFor;

/** A plan that was issued. Only its status, `paidAtMs` and the refunded amount change afterwards. */
export interface Invoice extends InvoicePlan {
  readonly id: string;
  readonly number: bigint;
  readonly status: InvoiceStatus;
  readonly issuedAtMs: number;
  readonly dueAtMs: number;
  readonly paidAtMs: number | null;
  readonly refundedCents: bigint;
  /** The part of the total that the consumer's balance paid. */
  readonly balancePaidCents: bigint;
  /** Which credits paid that part. */
  readonly balanceParts: readonly BalancePart[];
  /** The sum that charges paid before the last one. */
  readonly partPaidCents: bigint;
  /** The reason why it waits although it is due. Null if nothing holds it. */
  readonly heldFor: HeldFor | null;
}

/** The part of an invoice that one credit has paid. */
export interface BalancePart {
  readonly creditId: string;
  /** Null: the operator granted it. */
  readonly topUpId: string | null;
  readonly cents: bigint;
  /** The calls that a grant paid for. Null: a top-up pays for any. */
  readonly calls: { readonly startMs: number; readonly endMs: number } | null;
}

/** The part of the total that the card has paid so far. */
export function cardPaidCents({ status, totalCents, balancePaidCents, partPaidCents }: CardPaidInvoice): bigint {
  return status === 'paid' ? totalCents - balancePaidCents : partPaidCents;
}

type CardPaidInvoice = Pick<Invoice, 'status' | 'totalCents' | 'balancePaidCents' | 'partPaidCents'>;

interface StoredState {
  readonly status: StoredInvoiceStatus;
  readonly total_cents: string;
  readonly paid_at: Date | null;
}

/** The state of a stored invoice as everybody sees it. */
export function stateOfInvoice({ status, total_cents: cents, paid_at: paidAt }: StoredState) {
  if (status === 'paid' && BigInt(cents) === 0n) return { status: 'carried', paidAtMs: null } as const;
  return { status, paidAtMs: paidAt?.getTime() ?? null };
}

/** Says of a row of `billing.invoice` whether the operator must confirm it before it is charged. */
export const isHeldText = `(invoice.status in ('open', 'past_due', 'uncollectible') and exists (
  select from billing.held_invoice h where h.invoice_id = invoice.invoice_id and h.confirmed_at is null))`;

/** The cents of a row of `billing.invoice` that the consumer's balance paid. Refunds do not change them. */
export const balancePaidText = `(select coalesce(-sum(m.amount_cents), 0) from billing.balance_move m
  where m.invoice_id = invoice.invoice_id and m.business_key not like 'refund:%')`;

/** Selects the reason why a row of `billing.invoice` waits. */
export const heldForText = `(case when ${isHeldText} then 'confirmation'
  when invoice.status in ('open', 'past_due', 'uncollectible') then invoice.waits_for end)`;

/** The condition that an invoice has the status in this parameter, or any status if the parameter is null. */
export function hasStatus(parameter: string): string {
  return `(${parameter}::text is null or case ${parameter} when 'carried' then status = 'paid' and total_cents = 0
    else status = ${parameter} and total_cents > 0 end)`;
}

/** The answer to the operator, who may see every invoice. */
export function noSuchInvoice(invoiceId: string): AppError {
  return new AppError('not_found', `There is no invoice \`${invoiceId}\`.`);
}
