import { micros, parseUsd, type Micros } from '@tollgate/kernel/money';

const feeFreeMicros = parseUsd('1000');
const feePercent = 4n;

/** What a builder with this cumulative gross has paid in fees in all: ⌊4 % × max(0, G − 1,000 USD)⌋. The fee's one home. */
export function feeOn(grossMicros: Micros): Micros {
  const subject = grossMicros - feeFreeMicros;
  return micros(subject > 0n ? (subject * feePercent) / 100n : 0n);
}
