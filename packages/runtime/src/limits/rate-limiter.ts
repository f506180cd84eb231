import type { Admission } from './sliding-window.ts';

export interface RateLimiter {
  /** Admits and counts one request of this bucket, or refuses it. Returns a promise only if a remote party decides; it never rejects. */
  admit(bucket: string): Admission | Promise<Admission>;
}
