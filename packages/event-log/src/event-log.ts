import type { Service } from '@tollgate/kernel/service';

export interface LogRecord {
  /** Records of one key keep their order. */
  readonly key: string;
  readonly value: Uint8Array;
}

export interface LogPosition {
  readonly partition: number;
  readonly offset: bigint;
}

export interface StoredRecord {
  readonly offset: bigint;
  readonly key: string;
  readonly value: Uint8Array;
}

/** Records of one partition in offset order. Offsets may have gaps: never count them. Without records it moves the cursor. */
export interface LogBatch {
  readonly topic: string;
  readonly partition: number;
  readonly firstOffset: bigint;
  /** The cursor after this batch. */
  readonly nextOffset: bigint;
  readonly records: readonly StoredRecord[];
}

export interface EventAppender {
  /**
   * Resolved: every record is durable (on all in-sync replicas), positions in the order of `records`. Rejected: unknown,
   * some, all or none may be in the log; appending again may double records, which counting removes.
   */
  append(topic: string, records: readonly LogRecord[]): Promise<readonly LogPosition[]>;
}

export interface SubscribeOptions {
  readonly topic: string;
  /** Within one group each partition has one reader at a time. */
  readonly group: string;
  /** Where the reader's own cursor stands: asked when a partition is taken and after each rejected batch. */
  nextOffset(partition: number): Promise<bigint>;
  /**
   * Resolved: durably handled, the next batch may come. Rejected: again, from `nextOffset`, with fewer records if it goes
   * on failing, down to one. Never two at once a partition.
   */
  onBatch(batch: LogBatch): Promise<void>;
  /**
   * Nothing was left at or after `nextOffset` when the end was asked for, which was after `asOf` (epoch ms). At least
   * every second for each owned partition that is caught up, also when idle.
   */
  onCaughtUp(partition: number, nextOffset: bigint, asOf: number): Promise<void>;
  /**
   * The topic has more partitions than it had. Told before the first batch of any partition that may have been appended
   * after a record of a new one by more than a second, and before any `onCaughtUp` from then on. Rejected: again.
   */
  onPartitions?(partitions: number): Promise<void>;
}

export interface Subscription {
  /** Waits for the running handlers. */
  stop(): Promise<void>;
  /** Rejects when reading cannot go on without losing records, e.g. since they are gone from the log. Never resolves. */
  readonly failed: Promise<never>;
}

export interface EventLogReader {
  /** How many partitions the topic has. Throws when it does not exist. */
  partitionsOf(topic: string): Promise<number>;
  subscribe(options: SubscribeOptions): Promise<Subscription>;
}

/** Of what the log holds beyond the aggregator's cursors. */
export interface UncountedReading {
  onRecord(record: StoredRecord): void;
  /** Aborted: what is left is not read. */
  readonly enough?: AbortSignal;
}

export interface EventLog extends EventAppender, EventLogReader, Service {}
