import { formatDecimal, normaliseDecimal, parseDecimal, roundHalfEven, type Decimal } from './decimal.ts';

declare const unit: unique symbol;

/**
 * Money in whole millionths of a dollar. Arithmetic gives a plain bigint, which `micros` turns into money again. So
 * dollars, cents and counts cannot take its place by mistake.
 */
export type Micros = bigint & { readonly [unit]: 'micros' };

const decimalPlaces = 6;

export const zeroMicros = micros(0n);

export function micros(amount: bigint): Micros {
  return amount as Micros; // the brand exists only in the type
}

export function sumMicros(amounts: Iterable<Micros>): Micros {
  let sum = 0n;
  for (const amount of amounts) sum += amount;
  return micros(sum);
}

/** The only rounding from exact dollars to money: to the nearest micro-dollar, ties to the even one. */
export function roundToMicros(usd: Decimal): Micros {
  return micros(roundHalfEven(usd, decimalPlaces));
}

/** "0.50" → 500,000. Throws RangeError for text that is no decimal or finer than a micro-dollar; it never rounds. */
export function parseUsd(text: string): Micros {
  const usd = parseDecimal(text);
  if (usd.scale > decimalPlaces) throw new RangeError(`finer than a micro-dollar: ${JSON.stringify(text)}`);
  return roundToMicros(usd);
}

/** Dollars in the shortest exact spelling: "12.5", "0.000001", "-3". */
export function formatUsd(amount: Micros): string {
  return normaliseDecimal(formatDecimal({ units: amount, scale: decimalPlaces }));
}
