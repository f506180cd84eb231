import type { Admission } from './sliding-window.ts';

export interface RateLimiter {
  /** Counts one request of this bucket, unless it is refused; at once where that needs nobody else. Never rejects. */
  admit(bucket: string): Admission | Promise<Admission>;
}
