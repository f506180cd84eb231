import { formatDecimal, type Decimal } from '@tollgate/kernel/decimal';
import type { Micros } from '@tollgate/kernel/money';
import type { Line } from './line.ts';
import type { LineUsage } from './group-by-line.ts';
import { unitOf } from './unit-of.ts';
import type { CountedUsage } from './counted-usage.ts';

export interface Rated {
  readonly quantity: Decimal;
  readonly chargeMicros: Micros;
}

export function toLine(line: LineUsage<CountedUsage>, { quantity, chargeMicros }: Rated): Line {
  const { period, consumerId, price, charge, chargeIndex } = line;
  return {
    period,
    consumerId,
    builderId: price.builderId,
    toolId: price.toolId,
    priceId: price.priceId,
    chargeIndex,
    name: charge.name,
    quantity: formatDecimal(quantity),
    unit: unitOf(charge.metric),
    chargeMicros,
  };
}
