/** One event as its client means it: what it adds to the sums, and what identifies it. */
export interface LoadEvent {
  /** Unique, and sent as metadata, so that the database can be searched for it without a known id. */
  readonly ref: string;
  readonly consumerId: string;
  readonly toolId: string;
  readonly key?: string;
  readonly success: boolean;
  readonly durationMs: number;
  /** The value of the metadata key that some prices sum, in millionths: no floating point is needed. */
  readonly unitMillionths: number;
  /** The event's own time; the server's time if absent. */
  readonly timestamp?: string;
}

export const unitsKey = 'units';

/** The body of `POST /v1/events`, or an item of a batch. */
export function toEventBody(event: LoadEvent): object {
  return {
    tool_id: event.toolId,
    success: event.success,
    duration_ms: event.durationMs,
    metadata: { ref: event.ref, [unitsKey]: formatMillionths(BigInt(event.unitMillionths)) },
    ...(event.key === undefined ? {} : { idempotency_key: event.key }),
    ...(event.timestamp === undefined ? {} : { timestamp: event.timestamp }),
  };
}

/** Formats millionths as a decimal without trailing zeros. */
export function formatMillionths(millionths: bigint): string {
  const digits = String(millionths).padStart(7, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0+$/, '');
}
