import type { Clock } from '@tollgate/kernel/clock';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Consumer } from 'kafkajs';
import type { BatchSize } from '../batch-size.ts';
import type { KnownRecord, SubscribeOptions } from '../event-log.ts';
import type { LogEndsWatch, RefuseGap } from './log-ends.ts';
import type { createTaskLimit } from './task-limit.ts';

export interface GroupMemberOptions extends SubscribeOptions {
  readonly consumer: Consumer;
  readonly ends: LogEndsWatch;
  readonly clock: Clock;
  readonly stopped: AbortSignal;
  readonly log: Logger;
  readonly onFailed: (error: unknown) => void;
}

/** A partition for as long as the group lets us have it: another assignment is another object. */
export interface Holding {
  readonly partition: number;
  /** The reader's own cursor. While it is read it is undefined, and nothing is fetched or handled. */
  cursor: bigint | undefined;
  /** The record that was handled last, with which the next fetch has to begin; undefined once one has. See prove-log.ts. */
  anchor: KnownRecord | undefined;
  /** The log is the one of which the cursor speaks. */
  isProven: boolean;
  isHandling: boolean;
  failures: number;
  readonly batchSize: BatchSize;
}

export interface GroupMember extends GroupMemberOptions {
  readonly refuseGap: RefuseGap;
  readonly holdings: Map<number, Holding>;
  /** Running handlers by partition, also those of an earlier assignment. */
  readonly handling: Map<number, Promise<void>>;
  /** Monotonic ms: when each broker last answered a fetch. */
  readonly answeredMs: Map<string, number>;
  readonly withinLimit: ReturnType<typeof createTaskLimit>;
}
