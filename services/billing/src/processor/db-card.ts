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
export function toDbCard(card: PaymentMethod | undefined): readonly (string | number | null)[] {
  if (!card) return [null, null, null, null, null];
  return [card.paymentMethodId, card.brand, card.last4, card.expMonth, card.expYear];
}
