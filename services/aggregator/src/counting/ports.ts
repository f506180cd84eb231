import type { Flush } from './plan-flush.ts';

/** The store refused a flush: another reader counts this partition, or our own COMMIT succeeded and its answer was lost. */
export class CursorMoved extends Error {
  override readonly name = 'CursorMoved';
}

/** The store refused a flush: keys were archived since, and nobody looked for its keys there. */
export class ArchivesMoved extends Error {
  override readonly name = 'ArchivesMoved';
}

export interface FlushResult {
  /** Newly counted. */
  readonly recorded: number;
  /** Counted before, with the same body. */
  readonly repeats: number;
  /** Refused: the key is known with another body. */
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
  /** The offset of the first record of the partition that is not counted. */
  cursorOf(topic: string, partition: number): Promise<bigint>;
  /** One transaction: all of the flush or nothing. Throws CursorMoved when `expectedOffset` is not the cursor. */
  commit(flush: Flush, countedThroughMs: number | undefined): Promise<FlushResult>;
  /** Never moves a watermark back. Safe to repeat. */
  moveWatermarks(topic: string, watermarks: readonly PartitionWatermark[]): Promise<void>;
}
