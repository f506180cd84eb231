import type { Admission, WindowRules } from './sliding-window.ts';

/**
 * Admits `limit` requests at once, and as many per `windowMs` after that, evenly. Unlike a sliding window it is one number,
 * and a caller that was refused waits for one place, not for a whole window.
 */
export class TokenBucket {
  readonly #rules: WindowRules;
  /** When the bucket is full again. */
  #fullAtMs = -Infinity;

  constructor(rules: WindowRules) {
    this.#rules = rules;
  }

  /** `nowMs` never goes back. */
  admit(nowMs: number): Admission {
    const { limit, windowMs } = this.#rules;
    const placeMs = windowMs / limit;
    const takenMs = Math.max(0, this.#fullAtMs - nowMs);
    const isAdmitted = takenMs + placeMs <= windowMs + placeMs / 1_000; // sums of fractions may be a hair too large
    const nowTakenMs = isAdmitted ? takenMs + placeMs : takenMs;
    if (isAdmitted) this.#fullAtMs = nowMs + nowTakenMs;
    const remaining = Math.max(0, Math.floor((windowMs - nowTakenMs) / placeMs + 1e-6));
    return { isAdmitted, limit, remaining, waitMs: remaining > 0 ? 0 : nowTakenMs + placeMs - windowMs };
  }

  /** Frees the place of one admitted request: it was none that the limit is for. */
  takeBack(): void {
    this.#fullAtMs -= this.#rules.windowMs / this.#rules.limit;
  }
}
