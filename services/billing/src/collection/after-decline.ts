export type AfterDecline = 'try_later' | 'payment_method' | 'authentication';

/** The cardholder must confirm a payment. The codes are those of docs.stripe.com/declines/codes. */
const needConfirming: ReadonlySet<string> = new Set([
  'authentication_required',
  'authentication_not_handled',
  'payment_intent_authentication_failure',
]);

/** The same card will never pay, or networks fine who tries it again. */
const areFinal: ReadonlySet<string> = new Set([
  'card_not_supported',
  'currency_not_supported',
  'expired_card',
  'fraudulent',
  'incorrect_cvc',
  'incorrect_number',
  'invalid_account',
  'invalid_cvc',
  'invalid_expiry_month',
  'invalid_expiry_year',
  'invalid_number',
  'lost_card',
  'merchant_blacklist',
  'new_account_information_available',
  'not_permitted',
  'payment_method_unavailable',
  'pickup_card',
  'restricted_card',
  'revocation_of_all_authorizations',
  'revocation_of_authorization',
  'security_violation',
  'service_not_allowed',
  'stolen_card',
  'stop_payment_order',
  'transaction_not_allowed',
]);

/** Says what comes after a declined charge: another try with the same card, or something from the consumer. */
export function afterDecline(code: string | undefined): AfterDecline {
  if (code === undefined) return 'try_later';
  if (needConfirming.has(code)) return 'authentication';
  return areFinal.has(code) ? 'payment_method' : 'try_later';
}
