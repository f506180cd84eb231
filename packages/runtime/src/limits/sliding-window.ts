/** A limiter's decision about one request. */
export interface Admission {
  readonly isAdmitted: boolean;
  readonly limit: number;
  /** How many further requests would be admitted now. */
  readonly remaining: number;
  /** How long until the next request would be admitted; 0 if now. */
  readonly waitMs: number;
}

export interface WindowRules {
  readonly limit: number;
  readonly windowMs: number;
}

const firstCapacity = 4;

/**
 * The exact sliding window: no half-open interval of `windowMs`, wherever it begins, has more than `limit` admitted requests.
 * It keeps the times of the admitted requests of the last `windowMs`; refused ones leave no trace. The times lie in a
 * ring that grows with its use: most callers never need a hundred places.
 */
export class SlidingWindow {
  readonly #rules: WindowRules;
  #times = new Float64Array(firstCapacity);
  #first = 0;
  #count = 0;

  constructor(rules: WindowRules) {
    this.#rules = rules;
  }

  /** `nowMs` never goes back. */
  admit(nowMs: number): Admission {
    this.#forget(nowMs);
    const { limit, windowMs } = this.#rules;
    const isAdmitted = this.#count < limit;
    if (isAdmitted) this.#remember(nowMs);
    const remaining = limit - this.#count;
    const waitMs = remaining > 0 ? 0 : this.#at(0) + windowMs - nowMs;
    return { isAdmitted, limit, remaining, waitMs };
  }

  /** Forgets the newest admitted request: it was none that the limit is for. */
  takeBack(): void {
    if (this.#count > 0) this.#count -= 1;
  }

  #forget(nowMs: number): void {
    while (this.#count > 0 && nowMs - this.#at(0) >= this.#rules.windowMs) {
      this.#first = (this.#first + 1) % this.#times.length;
      this.#count -= 1;
    }
  }

  #remember(nowMs: number): void {
    if (this.#count === this.#times.length) this.#grow();
    this.#times[(this.#first + this.#count) % this.#times.length] = nowMs;
    this.#count += 1;
  }

  #grow(): void {
    const grown = new Float64Array(Math.min(this.#times.length * 2, this.#rules.limit));
    for (let place = 0; place < this.#count; place += 1) grown[place] = this.#at(place);
    this.#times = grown;
    this.#first = 0;
  }

  #at(place: number): number {
    return this.#times[(this.#first + place) % this.#times.length] ?? 0;
  }
}
