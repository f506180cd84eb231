import Stripe from 'stripe';
import type { StripeRefusalFacts } from './refused-by-stripe.ts';

/**
 * A failed call, by what to do next.
 *
 * - `throttled`: too many calls; nothing happened.
 * - `busy`: another call holds the key or the object.
 * - `unknown`: the call may have had its effect.
 * - `stored`: Stripe failed at an earlier call with this key, and repeats that failure while it keeps the key. Look
 *   up whether that call had an effect.
 * - `missing`: there is no such object.
 * - `key_reused`: the key was used for another call.
 * - `refused`: Stripe understood the order and will not carry it out.
 * - `misused`: a wrong secret, or a call that Stripe does not know.
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
  readonly said: StripeWords;
  /** For the log: what Stripe said, without headers. */
  readonly detail: object;
}

/** Stripe's words by which the refusal can be recognised. */
export interface StripeWords {
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly param: string | undefined;
  /** Without secrets. */
  readonly message: string;
}

const missingCodes: ReadonlySet<string> = new Set(['resource_missing', 'account_invalid']);

const messageCharsMax = 500;

/** Classifies an error of the library. Other errors are thrown on. */
export function fromStripeError(error: unknown): StripeFailure {
  if (!(error instanceof Stripe.errors.StripeError)) throw error;
  const { type, code, statusCode: status, requestId, param, payment_intent: paymentIntent } = error;
  const message = withoutSecrets(error.message);
  const retryAfterSeconds = Number(error.headers?.['retry-after']);
  return {
    kind: kindOf(error),
    retryAfterMs: retryAfterSeconds > 0 ? retryAfterSeconds * 1_000 : undefined,
    refusal: { code: code ?? 'refused', param, objectId: paymentIntent?.id },
    said: { status, code, param, message },
    detail: { stripe: { type, code, status, request_id: requestId, param, message } },
  };
}

/** Stripe quotes keys with most letters covered; here all are. People who are quoted are covered too. */
function withoutSecrets(message: string): string {
  return message
    .replaceAll(/\b(?:sk|rk|pk|whsec)_[\w*]+/g, '[secret]')
    .replaceAll(/[^\s'"@]+@[^\s'"@]+/g, '[e-mail]')
    .slice(0, messageCharsMax);
}

function kindOf(error: Stripe.errors.StripeError): StripeFailureKind {
  const { statusCode: status, code, headers } = error;
  if (status === undefined) return 'unknown'; // no answer, or an incomplete one
  if (status >= 500) return isReplayed(headers) ? 'stored' : 'unknown';
  if (status === 429 || code === 'rate_limit') return 'throttled';
  if (status === 409) return 'busy';
  return kindOfRefusal(error);
}

function kindOfRefusal({ statusCode: status, code, type }: Stripe.errors.StripeError): StripeFailureKind {
  if (type === 'StripeIdempotencyError') return 'key_reused';
  if (missingCodes.has(code ?? '')) return 'missing';
  return isOfOrder(status, code) ? 'refused' : 'misused';
}

/** Says whether Stripe refused the order itself, not the caller or the form of the request. */
function isOfOrder(status: number | undefined, code: string | undefined): boolean {
  if (status === 402) return true;
  return status === 400 && !code?.startsWith('parameter');
}

function isReplayed(headers: Stripe.errors.StripeError['headers']): boolean {
  return headers?.['idempotent-replayed'] === 'true';
}
