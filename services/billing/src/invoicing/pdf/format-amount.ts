import { formatDecimal, parseDecimal } from '@tollgate/kernel/decimal';

const microsScale = 6;
const centsScale = 2;

/** Formats an amount, as "1,234.50", from the digits of the integer. A negative amount has a true minus sign. */
export function formatAmount(amountMicros: bigint, decimals: number): string {
  return group(formatDecimal({ units: amountMicros, scale: microsScale }), decimals);
}

/**
 * The number of decimals, 2 to 6, that shows all of these amounts exactly. With one number for all, their points align.
 */
export function decimalsOf(amountsMicros: readonly bigint[]): number {
  let decimals = centsScale;
  while (amountsMicros.some((amount) => amount % 10n ** BigInt(microsScale - decimals) !== 0n)) decimals++;
  return decimals;
}

/** Formats a quantity of any size, with all of its digits. */
export function formatQuantity(quantity: string): string {
  return group(quantity, parseDecimal(quantity).scale);
}

/** Groups digits without Intl, which rounds beyond 100 decimals and whose data changes between versions. */
function group(decimal: string, decimals: number): string {
  const [whole = '', fraction = ''] = decimal.replace('-', '').split('.');
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ',');
  const figures = decimals === 0 ? grouped : `${grouped}.${fraction.padEnd(decimals, '0').slice(0, decimals)}`;
  return decimal.startsWith('-') ? `−${figures}` : figures;
}
