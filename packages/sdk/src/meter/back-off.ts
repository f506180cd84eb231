const firstBoundMs = 500;
const boundMsMax = 60_000;
/** An answer can ask for years, or for more than a timer can count, and the events are old after a day. */
const waitMsMax = 300_000;

interface Failure {
  /** Failures in a row, this one included. */
  readonly failures: number;
  /** Seconds that the service asked for. */
  readonly retryAfter: number | undefined;
  /** From 0 to below 1. */
  readonly random: number;
}

/** The wait before the next request: a random part of a bound that doubles, after what the service asked for, within reason. */
export function backOffMs({ failures, retryAfter = 0, random }: Failure): number {
  const boundMs = Math.min(boundMsMax, firstBoundMs * 2 ** (failures - 1));
  return Math.min(waitMsMax, retryAfter * 1000 + random * boundMs);
}
