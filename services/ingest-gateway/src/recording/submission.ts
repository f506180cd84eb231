import type { EventInput } from '@tollgate/contracts/events';

/** One valid event on its way into the log. */
export interface Submission {
  readonly consumerId: string;
  readonly eventId: string;
  readonly event: EventInput;
  /** There exactly when the event has an idempotency key. */
  readonly bodyHash: string | undefined;
  /** Epoch ms. The watermark relies on it: nothing is acknowledged later than the append deadline after it. */
  readonly receivedAtMs: number;
  /** Monotonic ms. */
  readonly expiresAtMs: number;
}
