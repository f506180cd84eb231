import type { UsageStore } from '../../../src/counting/ports.ts';
import type { Flush } from '../../../src/counting/plan-flush.ts';
import type { CountedRows } from './counted-rows.ts';

/** The store that the counting code runs against: the model, or the real store; and how to look into it. */
export interface SimulatedStore extends UsageStore {
  /** The flush is begun and breaks off in the middle of its transaction, before its COMMIT. */
  breakOff(flush: Flush, statement: number): Promise<void>;
  /** Drops the days of events before this one that may go ('YYYY-MM-DD'), and answers them. */
  dropEventDaysBefore(date: string): Promise<readonly string[]>;
  watermark(): Promise<WatermarkNow>;
  rows(): Promise<CountedRows>;
}

export interface WatermarkNow {
  /** The watermark of the topic, in epoch ms. 0 while a partition has none. */
  readonly countedThrough: number;
  /** The watermark of each partition that has one, by its number. */
  readonly partitions: ReadonlyMap<number, number>;
}
