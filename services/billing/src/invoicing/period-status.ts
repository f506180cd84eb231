import { hourOf, periodBounds } from '@tollgate/kernel/period';
import { closableAtMs, finalAfterMs } from './due-period.ts';

export interface PeriodStatus {
  readonly period: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly countedThroughMs: number;
  /** Every hour that ended by then is final. */
  readonly finalThroughMs: number;
  /** Where the watermark must stand for the period to close. */
  readonly closableAtMs: number;
  readonly isClosable: boolean;
}

export function periodStatus(period: string, countedThroughMs: number): PeriodStatus {
  const { start, end } = periodBounds(period);
  const dueAtMs = closableAtMs(period);
  return {
    period,
    startMs: start,
    endMs: end,
    countedThroughMs,
    finalThroughMs: Math.max(0, hourOf(countedThroughMs - finalAfterMs)), // nothing was counted yet: nothing is final
    closableAtMs: dueAtMs,
    isClosable: dueAtMs <= countedThroughMs,
  };
}
