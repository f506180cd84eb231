/** Bounds how often one client repeats requests, so that a service in trouble is not asked more than when it is well. */
export interface RetryBudget {
  /** Takes one repeat, unless none is left. */
  take(): boolean;
  /** An answer earns a tenth of a repeat. */
  earn(): void;
}

const budgetMax = 20;
const earnedPerAnswer = 0.1;
const firstDelayMs = 200;
const delayMsMax = 20_000;
/** A longer wait is the caller's decision: the error carries `retryAfter`. */
const retryAfterSecondsMax = 60;

/** The service did nothing (429), or may do it again without harm where the request is safe to repeat. */
const repeatedStatuses = new Set([408, 429, 500, 502, 503, 504]);

export function createRetryBudget(): RetryBudget {
  let left = budgetMax;
  return {
    take() {
      if (left < 1) return false;
      left -= 1;
      return true;
    },
    earn: () => void (left = Math.min(budgetMax, left + earnedPerAnswer)),
  };
}

interface Outcome {
  /** Whether a second effect cannot come of a second request. */
  readonly isSafeToRepeat: boolean;
  /** 0 if there was no answer. */
  readonly status: number;
  readonly code: string;
}

/** Whether the same request may be sent again after this failure. */
export function mayRepeat({ isSafeToRepeat, status, code }: Outcome): boolean {
  if (status === 429) return true; // refused before anything happened
  if (!isSafeToRepeat) return false;
  if (status === 0) return code === 'connection_failed' || code === 'timed_out';
  return repeatedStatuses.has(status) || code === 'idempotency_in_progress';
}

interface Wait {
  /** 0 before the first repeat. */
  readonly repeats: number;
  readonly retryAfter: number | undefined;
  /** From 0 to below 1. */
  readonly random: number;
}

/** Full jitter over a doubling bound, after the wait that the service asked for. Undefined: too long to wait for here. */
export function delayMsBefore({ repeats, retryAfter = 0, random }: Wait): number | undefined {
  if (retryAfter > retryAfterSecondsMax) return undefined;
  return retryAfter * 1000 + random * Math.min(delayMsMax, firstDelayMs * 2 ** repeats);
}
