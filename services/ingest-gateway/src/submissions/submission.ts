import type { EventInput } from '@tollgate/contracts/events/events';
import type { Pass } from '../passes/pass.ts';

/** A valid event that a caller sent, with its id and its time of receipt. */
export interface Submission {
  readonly consumerId: string;
  /** The pass that sent it, for the consumer. */
  readonly pass?: Pass | undefined;
  readonly eventId: string;
  readonly event: EventInput;
  /** Present exactly when the event has an idempotency key. */
  readonly bodyHash: string | undefined;
  /** Epoch ms. The watermark relies on it: no event is acknowledged later than the append deadline after its receipt. */
  readonly receivedAtMs: number;
  /** Monotonic ms. */
  readonly expiresAtMs: number;
  /** The span of its way into the log. Undefined: nobody follows it. */
  readonly traceparent?: string | undefined;
}
