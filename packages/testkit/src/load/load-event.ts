/** One event as a client means it: what it must add to the sums, and how it is told from all others. */
export interface LoadEvent {
  /** Unique, and sent along as metadata: so the event is found again in the database, with or without a known id. */
  readonly ref: string;
  readonly consumerId: string;
  readonly toolId: string;
  readonly key?: string;
  readonly success: boolean;
  readonly durationMs: number;
  /** Of the metadata key that some tools' prices sum, in millionths; a client would know no floating point here. */
  readonly unitMillionths: number;
  /** The event's own time; absent: the server's. */
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

/** A decimal without trailing zeros. */
export function formatMillionths(millionths: bigint): string {
  const digits = String(millionths).padStart(7, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0+$/, '');
}
