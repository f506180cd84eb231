import { parseDecimal } from '@tollgate/kernel/decimal';
import type { Line } from '@tollgate/pricing/line';
import { followingPeriod } from '../invoicing/due-period.ts';
import { lookBackFrom } from '../invoicing/look-back.ts';

/**
 * Says whether a line was counted late and is not lost. The next close looks back that far, and bills its positive
 * quantity.
 */
export function isWaiting({ period, quantity }: Line, lastClosed: string): boolean {
  return period >= lookBackFrom(followingPeriod(lastClosed)).firstPeriod && parseDecimal(quantity).units > 0n;
}
