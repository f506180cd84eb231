import type { Price } from '@tollgate/contracts/tools/price';
import { sumMicros, type Micros } from '@tollgate/kernel/money';
import { createBoundCharge } from './bound-charge.ts';
import type { CountedUsage } from './counted-usage.ts';
import { quantityOf } from './quantity-of.ts';

/**
 * The most that this usage can add to a consumer's bill under one price version, whatever was used before and whatever
 * part of it happens.
 */
export function boundPrice({ charges, bill_failed_calls: billsFailed }: Price, added: CountedUsage): Micros {
  if (!added.success && !billsFailed) return sumMicros([]);
  return sumMicros(charges.map((charge) => createBoundCharge(charge)(quantityOf(charge.metric, [added]))));
}
