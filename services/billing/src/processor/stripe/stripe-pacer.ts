import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';

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

/** 20 calls per second and endpoint; Stripe allows 25 in test mode (F58). */
const intervalMs = 50;
const waitMsMax = 5_000;
const firstPauseMs = 500;
const pauseMsMax = 8_000;

export function createStripePacer({ clock }: { clock: Pick<Clock, 'monotonicMs'> }): StripePacer {
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
