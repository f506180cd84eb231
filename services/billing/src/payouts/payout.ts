import { uuidV8 } from '@tollgate/kernel/uuid';
import { zeroMicros, type Micros } from '@tollgate/kernel/money';
import type { Clock } from '@tollgate/kernel/clock';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';
import type { Database } from '@tollgate/database/database';
import type { ConnectedAccount } from '../processor/sql-connected-accounts.ts';
import type { Attempts } from '../processor/create-attempts.ts';
import type { Processor } from '../processor/processor.ts';
import type { FeeScope } from '../fees/fee.ts';
import type { YoungBuilderSettings } from './plan-hold.ts';

/** The status of a stored payout. Pending payouts are computed and never stored. */
export type PayoutStatus = 'scheduled' | 'paid' | 'failed';

/**
 * A builder's money of one period, on its way. Its status may go back and forth. Its amounts stay, except that a failed
 * payout of which refunds took a part is lowered.
 */
export interface Payout {
  readonly id: string;
  readonly builderId: string;
  readonly period: string;
  readonly status: PayoutStatus;
  readonly netCents: bigint;
  /**
   * The part of its net that refunds had taken when it was tried again. The next payout sets it off against those
   * refunds.
   */
  readonly heldCents: bigint;
  /** The fees taken from its earnings. Below 0 if refunds returned more fees. */
  readonly feeCents: bigint;
  /** The earning and fee that wait for the next payout, each less than a cent. */
  readonly left: Remainder;
  /** How many times it was scheduled. */
  readonly schedules: number;
  /** Failures in a row; 0 when it is paid. */
  readonly failures: number;
  /** When the first failure in this row was. Null without failures. */
  readonly failingSinceMs: number | null;
  /**
   * When it is transferred, or scheduled again. Null when it is paid, and for a failed payout that waits for a payout
   * account.
   */
  readonly dueAtMs: number | null;
  readonly createdAtMs: number;
  readonly paidAtMs: number | null;
}

/** Earnings that no payout contains yet, and the fees taken from them. */
export interface Remainder {
  readonly earningMicros: Micros;
  readonly feeMicros: Micros;
}

/** The same of one month. */
export interface MonthMoney extends Remainder {
  readonly period: string;
}

export const noRemainder: Remainder = { earningMicros: zeroMicros, feeMicros: zeroMicros };

/** The id of a payout, pending or stored: both have the same. */
export function payoutIdOf(builderId: string, period: string): string {
  return uuidV8('payout', builderId, period);
}

export interface BillingAccount {
  /** The account at the processor; null if none is connected. */
  readonly processorAccountId: string | null;
  readonly isPayoutEnabled: boolean;
  readonly pendingBalanceMicros: Micros;
  /** As far as the builder's account got; undefined if there is none, or it is disconnected. */
  readonly state: ConnectedAccount | undefined;
}

export interface PayoutSettings {
  /** Time from a period's end to its payout day. */
  readonly delayMs: number;
  /** Less than this is not paid out; it joins the next payout. */
  readonly minimumMicros: Micros;
  /** The settings for money that is held back from young builders. Undefined: none is. */
  readonly young?: YoungBuilderSettings | undefined;
}

/** The edges of the verbs that read payouts. */
export interface PayoutReadingDeps {
  /** Reads what one builder may see. */
  readonly api: Database;
  /** Reads every account, for the operator. */
  readonly worker: Database;
  /** Payout accounts at other processors do not count. */
  readonly processor: Pick<Processor, 'name'>;
  readonly scope: FeeScope;
  readonly clock: Pick<Clock, 'now'>;
}

/** The edges of payouts: one value, of which each verb takes its part. */
export interface PayoutsDeps extends PayoutReadingDeps {
  /** Schedules payouts and orders their transfers. */
  readonly database: Database;
  readonly attempts: Pick<Attempts, 'begin' | 'carryOut' | 'isProcessorAway'>;
  readonly settings: PayoutSettings;
  readonly log: Logger;
  readonly metrics?: Metrics | undefined;
  /** Builders per transaction: the most work that is in memory, and that a crash undoes. */
  readonly batchBuildersMax?: number;
}
