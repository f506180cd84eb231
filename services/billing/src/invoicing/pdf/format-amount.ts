import { formatDecimal, parseDecimal } from '@tollgate/kernel/decimal';

const microsScale = 6;
const centsScale = 2;

/** Exact: figures are made from the integer's digits. "1,234.50", and a negative one with a true minus sign. */
export function formatAmount(amountMicros: bigint, decimals: number): string {
  return group(formatDecimal({ units: amountMicros, scale: microsScale }), decimals);
}

/** How many decimals show all of these amounts exactly, so that their points stand below each other: 2 to 6. */
export function decimalsOf(amountsMicros: readonly bigint[]): number {
  let decimals = centsScale;
  while (amountsMicros.some((amount) => amount % 10n ** BigInt(microsScale - decimals) !== 0n)) decimals++;
  return decimals;
}

/** A quantity of any size, all of its digits. */
export function formatQuantity(quantity: string): string {
  return group(quantity, parseDecimal(quantity).scale);
}

/** By hand: Intl rounds beyond 100 decimals, and its words change with the version of its data. */
function group(decimal: string, decimals: number): string {
  const [whole = '', fraction = ''] = decimal.replace('-', '').split('.');
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ',');
  const figures = decimals === 0 ? grouped : `${grouped}.${fraction.padEnd(decimals, '0').slice(0, decimals)}`;
  return decimal.startsWith('-') ? `−${figures}` : figures;
}
