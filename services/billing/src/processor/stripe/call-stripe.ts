import { setTimeout as sleep } from 'node:timers/promises';
import { backOffMs } from '@tollgate/kernel/back-off';
import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import { unreachable } from '@tollgate/kernel/unreachable';
import type Stripe from 'stripe';
import { CallRefused } from '../processor.ts';
import { RefusedByStripe } from './refused-by-stripe.ts';
import { StoredStripeFailure } from './stored-stripe-failure.ts';
import { fromStripeError, type StripeFailure } from './stripe-failure.ts';
import { adviceOf, toRefusalMessage } from './stripe-advice.ts';
import { createStripePacer } from './stripe-pacer.ts';

export interface StripeCall<Answer> {
  /** Method and path, such as `POST /v1/accounts`. Stripe limits calls per endpoint. */
  readonly endpoint: string;
  /** Required for each POST, and the same for each try. */
  readonly idempotencyKey?: string;
  readonly send: (options: Stripe.RequestOptions) => Promise<Answer>;
}

export type CallStripe = <Answer>(call: StripeCall<Answer>) => Promise<Answer>;

const triesMax = 3;
/** No try begins later than this after the first, since people wait in front of a browser. */
const callMsMax = 15_000;
/** The second try comes after 75 to 150 ms, the third after 150 to 300 ms more. */
const backOffBounds = { firstMs: 150, maxMs: 300 };

/**
 * Makes every call to Stripe: paced by endpoint, in at most three tries with the same key (F57). Throws the errors of
 * the port `Processor`. `StoredStripeFailure` (`unavailable`) says that the key is used up by a failure (F59).
 * `RefusedByStripe` says that Stripe refuses the call.
 */
export function createCallStripe({ clock }: { clock: Pick<Clock, 'monotonicMs'> }): CallStripe {
  const pacer = createStripePacer({ clock });

  return async function callStripe({ endpoint, idempotencyKey, send }) {
    const deadlineMs = clock.monotonicMs() + callMsMax;
    for (let tries = 1; ; tries += 1) {
      await pacer.waitForTurn(endpoint);
      try {
        const answer = await send(idempotencyKey === undefined ? {} : { idempotencyKey });
        pacer.succeeded(endpoint);
        return answer;
      } catch (error) {
        const failure = fromStripeError(error);
        if (failure.kind === 'throttled') pacer.slowDown(endpoint, failure.retryAfterMs);
        const isLast = tries >= triesMax || clock.monotonicMs() >= deadlineMs;
        if (isLast || !isWorthRepeating(failure)) throw toAppError(failure, endpoint);
      }
      await sleep(backOffMs(tries, backOffBounds));
    }
  };
}

function isWorthRepeating({ kind }: StripeFailure): boolean {
  return kind === 'unknown' || kind === 'busy' || kind === 'throttled';
}

function toAppError(failure: StripeFailure, endpoint: string): Error {
  const { kind, retryAfterMs, refusal } = failure;
  const advice = adviceOf(failure);
  const detail = { ...failure.detail, endpoint };
  const refused = { message: toRefusalMessage(advice), detail: { ...detail, operator_task: advice } };
  switch (kind) {
    case 'unknown':
    case 'busy':
    case 'throttled': {
      const retryAfterSeconds =
        retryAfterMs === undefined ? {} : { retryAfterSeconds: Math.ceil(retryAfterMs / 1_000) };
      const options = { detail, ...retryAfterSeconds };
      return new AppError('processor_unavailable', 'The payment processor cannot be reached.', options);
    }
    case 'stored':
      return new StoredStripeFailure(detail);
    case 'missing':
      return new AppError('not_found', 'The payment processor has no such object.', { detail });
    case 'key_reused':
      return new AppError('idempotency_key_reused', 'This key has created something else.', { detail });
    case 'refused':
      return new RefusedByStripe(refusal, refused);
    case 'misused': // a wrong secret, or a call that Stripe does not know: the caller cannot correct it
      return new CallRefused(refused.message, refused.detail);
    default:
      return unreachable(kind);
  }
}
