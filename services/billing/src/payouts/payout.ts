import { uuidV8 } from '@tollgate/kernel/uuid';
import { zeroMicros, type Micros } from '@tollgate/kernel/money';

/** `pending` ones are computed, never stored. */
export type PayoutStatus = 'scheduled' | 'paid' | 'failed';

/** A builder's money of one period, on its way. Its amounts never change; its status may go back and forth. */
export interface Payout {
  readonly id: string;
  readonly builderId: string;
  readonly period: string;
  readonly status: PayoutStatus;
  readonly netCents: bigint;
  /** What was taken in fees of the earnings in it; below 0 where refunds gave back more. */
  readonly feeCents: bigint;
  /** Less than a cent each, which waits for the next one. */
  readonly left: Remainder;
  /** How often it was scheduled. */
  readonly schedules: number;
  /** In a row; 0 once it is paid. */
  readonly failures: number;
  /** When it is tried, or scheduled again. Null once it is paid; of a failed one, while it waits for a payout account. */
  readonly dueAtMs: number | null;
  readonly createdAtMs: number;
  readonly paidAtMs: number | null;
}

/** What is not paid out yet of what was earned, and not counted yet of the fees that were taken. */
export interface Remainder {
  readonly earningMicros: Micros;
  readonly feeMicros: Micros;
}

export const noRemainder: Remainder = { earningMicros: zeroMicros, feeMicros: zeroMicros };

/** The same for the pending row and the stored one that comes of it. */
export function payoutIdOf(builderId: string, period: string): string {
  return uuidV8('payout', builderId, period);
}
