import { parseDecimal } from '@tollgate/kernel/decimal';
import type { Line } from '@tollgate/pricing/line';
import { followingPeriod } from '../invoicing/due-period.ts';
import { lookBackFrom } from '../invoicing/look-back.ts';

/** Counted late for a closed period, and not lost: the next close looks this far back, and finds more than was billed. */
export function isWaiting({ period, quantity }: Line, lastClosed: string): boolean {
  return period >= lookBackFrom(followingPeriod(lastClosed)).firstPeriod && parseDecimal(quantity).units > 0n;
}
