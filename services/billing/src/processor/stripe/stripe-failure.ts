import Stripe from 'stripe';
import type { StripeRefusalFacts } from './refused-by-stripe.ts';

/**
 * `stored`: Stripe failed at an earlier call with this key, and says so for as long as it keeps the key; whether that call
 * had an effect is to be looked up. `throttled`: too many calls, nothing was done. `unknown`: it may have been done.
 * `refused`: the order is understood, and will not be carried out. `misused`: a wrong secret, or a call that it does not know.
 */
export type StripeFailureKind =
  | 'throttled'
  | 'busy'
  | 'unknown'
  | 'stored'
  | 'missing'
  | 'key_reused'
  | 'refused'
  | 'misused';

export interface StripeFailure {
  readonly kind: StripeFailureKind;
  readonly retryAfterMs: number | undefined;
  readonly refusal: StripeRefusalFacts;
  /** For the log: no message, which may quote what was sent, and no headers. */
  readonly detail: object;
}

const missingCodes: ReadonlySet<string> = new Set(['resource_missing', 'account_invalid']);

/** What went wrong, as far as it matters what to do. Errors that are not the library's are none of its business. */
export function fromStripeError(error: unknown): StripeFailure {
  if (!(error instanceof Stripe.errors.StripeError)) throw error;
  const { type, code, statusCode: status, requestId, param, payment_intent: paymentIntent } = error;
  const retryAfterSeconds = Number(error.headers?.['retry-after']);
  return {
    kind: kindOf(error),
    retryAfterMs: retryAfterSeconds > 0 ? retryAfterSeconds * 1_000 : undefined,
    refusal: { code: code ?? 'refused', objectId: paymentIntent?.id },
    detail: { stripe: { type, code, status, request_id: requestId, param } },
  };
}

function kindOf(error: Stripe.errors.StripeError): StripeFailureKind {
  const { statusCode: status, code, headers } = error;
  if (status === undefined) return 'unknown'; // no answer, or half of one
  if (status >= 500) return isReplayed(headers) ? 'stored' : 'unknown';
  if (status === 429 || code === 'rate_limit') return 'throttled';
  if (status === 409) return 'busy';
  return kindOfNo(error);
}

function kindOfNo({ statusCode: status, code, type }: Stripe.errors.StripeError): StripeFailureKind {
  if (type === 'StripeIdempotencyError') return 'key_reused';
  if (missingCodes.has(code ?? '')) return 'missing';
  return isOfOrder(status, code) ? 'refused' : 'misused';
}

/** Not of the request: neither of who asks, nor of how it is written. */
function isOfOrder(status: number | undefined, code: string | undefined): boolean {
  if (status === 402) return true;
  return status === 400 && !code?.startsWith('parameter');
}

function isReplayed(headers: Stripe.errors.StripeError['headers']): boolean {
  return headers?.['idempotent-replayed'] === 'true';
}
