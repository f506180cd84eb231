import { formatUsd } from '@tollgate/kernel/money';
import type { Line } from './line.ts';

/** The name of a line in messages for people. */
export function nameLine({
  period,
  consumerId,
  toolId,
  priceId,
  chargeIndex,
  quantity,
  unit,
  chargeMicros,
}: Line): string {
  const charge = `${toolId}, charge ${chargeIndex} of price ${priceId}, for ${consumerId} in ${period}`;
  return `${charge}: ${quantity} ${unit}, ${formatUsd(chargeMicros)} USD`;
}
