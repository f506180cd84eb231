import type { MeasuredProcess } from '../row.ts';
import type { Cast } from './cast.ts';

/** Tollgate under measurement, in one of its two shapes. */
export interface Product extends Cast {
  /** The base URL of the process that records events, without anything in front of it. */
  readonly recordUrl: string;
  readonly processes: readonly MeasuredProcess[];
  /** How many records the log has, and how many of them are counted. */
  progress(): Promise<Progress>;
  close(): Promise<void>;
}

export interface Progress {
  readonly appended: bigint;
  readonly counted: bigint;
}
