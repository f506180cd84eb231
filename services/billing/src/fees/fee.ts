import { micros, parseUsd, type Micros } from '@tollgate/kernel/money';

const feeFreeMicros = parseUsd('1000');
const feePercent = 4n;

/** The total fee on a builder's gross G: ⌊4 % × max(0, G − 1,000 USD)⌋. The fee is defined only here, and as SQL below. */
export function feeOn(grossMicros: Micros): Micros {
  const subject = grossMicros - feeFreeMicros;
  return micros(subject > 0n ? (subject * feePercent) / 100n : 0n);
}

/** The fee on a gross that is a SQL expression of type numeric, by the same terms. */
export function feeSql(gross: string): string {
  return `div(greatest(${gross} - ${feeFreeMicros}, 0) * ${feePercent}, 100)`;
}

/** Whether the 1,000 USD without a fee are a builder's first ever, or its first of each period. */
export type FeeScope = 'lifetime' | 'month';

/** The key under which a builder's gross is kept, for lines and refunds of this period. */
export function grossKeyOf(scope: FeeScope, period: string): string {
  return scope === 'month' ? period : 'lifetime';
}

/**
 * The bearer of the processor's fee on a charge: the platform, or the builders of the invoice that it pays, in
 * proportion to their earnings.
 */
export type FeeBearer = 'platform' | 'builder';
