import { eventAgeMaxMs } from '@tollgate/contracts/events/events';
import { hourOf, periodBounds } from '@tollgate/kernel/period';
import { closableAtMs } from './due-period.ts';

export interface PeriodStatus {
  readonly period: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly countedThroughMs: number;
  /** Every hour that ends at or before this time is final. */
  readonly finalThroughMs: number;
  /** The period can close when the watermark reaches this time. */
  readonly closableAtMs: number;
  readonly isClosable: boolean;
}

export function periodStatus(period: string, countedThroughMs: number): PeriodStatus {
  const { start, end } = periodBounds(period);
  const closableMs = closableAtMs(period);
  return {
    period,
    startMs: start,
    endMs: end,
    countedThroughMs,
    finalThroughMs: Math.max(0, hourOf(countedThroughMs - eventAgeMaxMs)), // 0 while nothing is counted
    closableAtMs: closableMs,
    isClosable: closableMs <= countedThroughMs,
  };
}
