import { setTimeout as sleep } from 'node:timers/promises';
import { backOffMs } from '@tollgate/kernel/back-off';
import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import { unreachable } from '@tollgate/kernel/unreachable';
import type Stripe from 'stripe';
import { CallRefused } from '../processor.ts';
import { RefusedByStripe } from './refused-by-stripe.ts';
import { StoredStripeFailure } from './past-stored-failures.ts';
import { fromStripeError, type StripeFailure } from './stripe-failure.ts';
import { adviceOf, toRefusalMessage } from './stripe-advice.ts';

export interface StripeCall<Answer> {
  /** Method and path, such as `POST /v1/accounts`. Stripe limits calls per endpoint. */
  readonly endpoint: string;
  /** Required for each POST, and the same for each try. */
  readonly idempotencyKey?: string;
  readonly send: (options: Stripe.RequestOptions) => Promise<Answer>;
}

export interface CallStripeOptions {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** Between two calls of an endpoint. Default: 20 calls per second, since Stripe allows 25 in test mode (F58). */
  readonly intervalMs?: number | undefined;
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
export function createCallStripe({ clock, intervalMs = 50 }: CallStripeOptions): CallStripe {
  const pacer = createStripePacer({ clock, intervalMs });

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

export interface StripePacer {
  /** Waits for this call's turn. Throws `unavailable` if that would take too long. */
  waitForTurn(endpoint: string): Promise<void>;
  /** Stripe has throttled the endpoint: nobody calls it for a while, longer each time. */
  slowDown(endpoint: string, retryAfterMs: number | undefined): void;
  /** The endpoint answers again, so the next pause is short. */
  succeeded(endpoint: string): void;
}

interface Pace {
  nextMs: number;
  throttledInARow: number;
}

const waitMsMax = 5_000;
const firstPauseMs = 500;
const pauseMsMax = 8_000;

interface StripePacerOptions extends CallStripeOptions {
  readonly intervalMs: number;
}

function createStripePacer({ clock, intervalMs }: StripePacerOptions): StripePacer {
  const paces = new Map<string, Pace>();
  const paceOf = (endpoint: string): Pace => {
    const pace = paces.get(endpoint) ?? { nextMs: 0, throttledInARow: 0 };
    paces.set(endpoint, pace);
    return pace;
  };
  return {
    async waitForTurn(endpoint) {
      const pace = paceOf(endpoint);
      const nowMs = clock.monotonicMs();
      const turnMs = Math.max(nowMs, pace.nextMs);
      if (turnMs - nowMs > waitMsMax) throw tooBusy(turnMs - nowMs);
      pace.nextMs = turnMs + intervalMs;
      if (turnMs > nowMs) await sleep(turnMs - nowMs);
    },
    slowDown(endpoint, retryAfterMs) {
      const pace = paceOf(endpoint);
      const pauseMs = retryAfterMs ?? Math.min(pauseMsMax, firstPauseMs * 2 ** pace.throttledInARow);
      pace.throttledInARow += 1;
      pace.nextMs = Math.max(pace.nextMs, clock.monotonicMs() + withJitter(pauseMs));
    },
    succeeded(endpoint) {
      paceOf(endpoint).throttledInARow = 0;
    },
  };
}

/**
 * Up to a quarter longer, so that several processes do not return together. It is never shorter than Stripe demands.
 */
function withJitter(ms: number): number {
  return ms * (1 + Math.random() / 4);
}

function tooBusy(waitMs: number): AppError {
  const retryAfterSeconds = Math.ceil(waitMs / 1_000);
  return new AppError('processor_unavailable', 'The payment processor is busy.', { retryAfterSeconds });
}

export interface StripeDeps {
  readonly stripe: Stripe;
  readonly clock: Clock;
  readonly callStripe: CallStripe;
}
