import type { Line } from '@tollgate/pricing/line';
import { formatQuantity } from './format-amount.ts';

/** "1,201 calls", "1 call". A metadata key stays as it is. */
export function nameQuantity({ quantity, unit }: Pick<Line, 'quantity' | 'unit'>): string {
  const isOne = quantity === '1' || quantity === '-1';
  return `${formatQuantity(quantity)} ${isOne && unit === 'calls' ? 'call' : unit}`;
}
