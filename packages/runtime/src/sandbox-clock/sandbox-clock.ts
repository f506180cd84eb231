import type { Clock } from '@tollgate/kernel/clock';
import type { Transaction } from '@tollgate/database/database';
import type { Service } from '@tollgate/kernel/service';

export interface ClockMove {
  /** Undefined: the clock stays where it is. */
  readonly to?: { readonly nowMs: number } | { readonly advanceMs: number } | undefined;
  readonly isFrozen: boolean;
}

/** Writes down the move, in its transaction. */
export type RecordMove = (tx: Transaction) => Promise<void>;

/** A clock that the operator moves, to test in minutes what takes a month. */
export interface SandboxClock extends Clock, Service {
  isFrozen(): boolean;
  /**
   * Resolved: the move is durable, and every process that can read the database has followed. Throws `conflict` for a
   * time before now, and when somebody else has moved the clock meanwhile.
   */
  move(move: ClockMove, record?: RecordMove): Promise<void>;
}
