import { periodBounds } from '@tollgate/kernel/period';
import { followingPeriod } from '../invoicing/due-period.ts';
import type { TimeWindow } from '../processor/processor.ts';

/** The period and the month after it, in which its invoices are collected and its builders are paid. */
export function movementWindow(period: string): TimeWindow {
  return { sinceMs: periodBounds(period).start, untilMs: periodBounds(followingPeriod(period)).end };
}
