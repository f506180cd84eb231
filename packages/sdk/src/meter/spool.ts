import type { ItemError } from './plan-settlement.ts';
import type { KeyedEvent } from './to-event.ts';

export interface BatchLimits {
  readonly eventsMax: number;
  readonly bytesMax: number;
}

/** The oldest events that are not settled, in their order. */
export interface SpoolBatch {
  /** Each as JSON. */
  readonly events: readonly string[];
  /** Notes that the first `count` events are settled. They are never handed out again. */
  settle(count: number): Promise<void>;
}

export interface Refusal {
  readonly event: string;
  readonly error: ItemError;
}

/** Keeps events from `record()` until they are settled: on disk, or in memory. */
export interface Spool {
  /** Resolved: the event is kept as durably as promised. Rejected, with the error of the disk or SpoolFull: it is not. */
  append(event: KeyedEvent): Promise<void>;
  /** Undefined if there is none. One batch at a time: settle it before the next call. */
  next(limits: BatchLimits): Promise<SpoolBatch | undefined>;
  /** Keeps what the service refused for good, durably, before it is settled. */
  keepRefused(refusals: readonly Refusal[]): Promise<void>;
  /** Whether events may be sent for this account: a key counts once per account. */
  belongsTo(accountId: string): Promise<boolean>;
  /** Says that this writer lives, and takes over what dead writers left behind. */
  tend(): Promise<void>;
  figures(): SpoolFigures;
  /** Waits for the appends that are under way. */
  flushed(): Promise<void>;
  /** Closes the spool; events that are not settled stay for the next writer. */
  close(): Promise<void>;
  /** Events that the folder has of other writers, and that are not settled. */
  others(): Promise<number>;
}

export interface SpoolFigures {
  /** Events that are not settled. */
  readonly queued: number;
  /** Bytes of all segments of the folder. */
  readonly bytes: number;
  /** Lines whose checksum was wrong. They are in `rejected.jsonl`. */
  readonly damaged: number;
}
