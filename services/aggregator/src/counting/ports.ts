import type { Flush } from './plan-flush.ts';

/** Our flush was refused: another reader counts this partition, or our own COMMIT went through without its answer. */
export class CursorMoved extends Error {
  override readonly name = 'CursorMoved';
}

export interface FlushResult {
  /** Newly counted. */
  readonly recorded: number;
  /** Counted before, with the same body. */
  readonly repeats: number;
  /** Refused: known key, another body. */
  readonly conflicts: number;
  readonly undecodable: number;
}

export interface PartitionWatermark {
  readonly partition: number;
  /** The watermark moves only if the cursor still stands here. */
  readonly nextOffset: bigint;
  readonly countedThrough: number;
}

export interface UsageStore {
  /** Makes a cursor for each partition that has none. Safe to repeat. */
  registerPartitions(topic: string, partitions: number): Promise<void>;
  cursorOf(topic: string, partition: number): Promise<bigint>;
  /** One transaction: all of the flush or nothing. Throws CursorMoved when `expectedOffset` is not the cursor. */
  commit(flush: Flush, countedThroughMs: number | undefined): Promise<FlushResult>;
  /** Never moves a watermark back. Safe to repeat. */
  moveWatermarks(topic: string, watermarks: readonly PartitionWatermark[]): Promise<void>;
}

export interface RetentionStore {
  /** Makes the tables of these dates ('YYYY-MM-DD') if they are not there. */
  ensureDays(dates: readonly string[]): Promise<void>;
  /** Both answer what they dropped; what is not counted for good stays, whatever its age. */
  dropEventDaysBefore(date: string): Promise<string[]>;
  dropLogSegmentsBefore(date: string): Promise<string[]>;
}
