import { formatDecimal, type Decimal } from '@tollgate/kernel/decimal';
import type { Micros } from '@tollgate/kernel/money';
import type { Line } from './line.ts';
import type { TalliedCharge } from './tally-charges.ts';
import { unitOf } from './unit-of.ts';
import type { UsagePart } from './usage-part.ts';

export interface Rated {
  readonly quantity: Decimal;
  readonly chargeMicros: Micros;
}

export function toLine(tallied: TalliedCharge<UsagePart>, { quantity, chargeMicros }: Rated): Line {
  const { period, consumerId, price, charge, chargeIndex } = tallied;
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
