/**
 * - `url`: the address has a form that is never called.
 * - `address`: its name leads to a machine that is never called, or to none.
 * - `time`, `size`: the answer took too long, or is too large.
 * - `failed`: no whole answer came.
 */
export type OutgoingReason = 'url' | 'address' | 'time' | 'size' | 'failed';

/** A call that was not made, or that brought no answer. Its message is a sentence for the person who named the address. */
export class OutgoingError extends Error {
  override readonly name = 'OutgoingError';
  readonly reason: OutgoingReason;

  constructor(reason: OutgoingReason, message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}
