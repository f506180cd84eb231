import { uuidV8 } from '@tollgate/kernel/uuid';
import { zeroMicros, type Micros } from '@tollgate/kernel/money';

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
