import type { Service } from '@tollgate/kernel/service';

export interface LogRecord {
  /** Records of one key keep their order. */
  readonly key: string;
  readonly value: Uint8Array;
  /** The content of `value`, if the producer has it at hand. A log does not keep it. */
  readonly decoded?: unknown;
  /** The span that appended it, if somebody follows its trace: a header of the record. */
  readonly traceparent?: string | undefined;
}

export interface LogPosition {
  readonly partition: number;
  readonly offset: bigint;
}

/** `decoded` is there only if the record was appended in this process a moment ago. */
export interface StoredRecord extends LogRecord {
  readonly offset: bigint;
  /** Epoch ms, by the log. Only a log that can be lost without its reader's cursor says it. */
  readonly appendedAt?: number;
}

/** A record by which a log is distinguished from another log of the same name, which has another record there or none. */
export interface KnownRecord {
  readonly offset: bigint;
  /** Epoch ms. */
  readonly appendedAt: number;
  readonly hash: Buffer;
}

/** Records of one partition in offset order. Offsets may have gaps: never count them. A batch without records moves the cursor, too. */
export interface LogBatch {
  readonly topic: string;
  readonly partition: number;
  readonly firstOffset: bigint;
  /** The cursor after this batch. */
  readonly nextOffset: bigint;
  readonly records: readonly StoredRecord[];
}

interface Probed {
  /**
   * Resolved: the log answers for each partition of the topic. Rejected: it does not. A log that lies beside the counted
   * events has none, since the checks of their database tell.
   */
  probe?(topic: string): Promise<void>;
}

export interface EventAppender extends Probed {
  /**
   * Resolved: every record is durable (on all in-sync replicas); positions are in the order of `records`. Rejected: the
   * outcome is unknown, and some, all or no records are in the log. Appending again may double records; counting ignores
   * the second.
   */
  append(topic: string, records: readonly LogRecord[]): Promise<readonly LogPosition[]>;
  /**
   * As `append`, unless an event of these ids is counted. Undefined: nothing was appended, since one is, or nobody could tell
   * in time. Only a log that lies beside the counted events has it.
   */
  appendUnlessCounted?(
    topic: string,
    records: readonly LogRecord[],
    eventIds: readonly string[],
  ): Promise<readonly LogPosition[] | undefined>;
}

export interface SubscribeOptions {
  readonly topic: string;
  /** Within one group each partition has one reader at a time. */
  readonly group: string;
  /** The reader's own cursor. The log calls it when it takes a partition and after each rejected batch. */
  nextOffset(partition: number): Promise<bigint>;
  /**
   * The record that the reader handled last. It is called before `nextOffset`, by a log that can be made anew while the
   * cursor stays. If the log has another record there, the reading fails: another log would go on as if it were the same.
   */
  lastRecord?(partition: number): Promise<KnownRecord | undefined>;
  /**
   * Resolved: the batch is durably handled, and the next may come. Rejected: the log hands out the records from
   * `nextOffset` on again, in smaller and smaller batches, down to one record, while the handler fails. Never two calls
   * at once per partition.
   */
  onBatch(batch: LogBatch): Promise<void>;
  /**
   * The log's end, read after `asOf` (epoch ms), had nothing at or after `nextOffset`. Called at least every second for
   * each owned partition that is caught up, also when idle.
   */
  onCaughtUp(partition: number, nextOffset: bigint, asOf: number): Promise<void>;
  /**
   * The topic has more partitions than before. Called before any later `onCaughtUp`. Also called before any batch whose
   * records may be more than a second younger than a record of a new partition. Rejected: called again.
   */
  onPartitions?(partitions: number): Promise<void>;
}

export interface Subscription {
  /** Waits for the running handlers. */
  stop(): Promise<void>;
  /** Rejects when reading cannot go on without losing records, for example when the log lost them. Never resolves. */
  readonly failed: Promise<never>;
}

export interface EventLogReader extends Probed {
  /** How many partitions the topic has. Throws when the topic does not exist. */
  partitionsOf(topic: string): Promise<number>;
  subscribe(options: SubscribeOptions): Promise<Subscription>;
}

/** A reading of the records beyond the aggregator's cursors. */
export interface UncountedReading {
  onRecord(record: StoredRecord): void;
  /** Once it is aborted, the remaining records are not read. */
  readonly enough?: AbortSignal;
}

export interface EventLog extends EventAppender, EventLogReader, Service {}
