/** An exact decimal: `units / 10^scale`, never with trailing zeros in `units`, so equal values are equal objects. */
export interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

const decimalPattern = /^-?\d+(?:\.\d+)?$/;

/** Plain notation only ("12", "-0.50"). Throws RangeError for anything else: input is checked by its contract before. */
export function parseDecimal(text: string): Decimal {
  if (!decimalPattern.test(text)) throw new RangeError(`not a decimal: ${JSON.stringify(text)}`);
  const point = text.indexOf('.');
  if (point < 0) return { units: BigInt(text), scale: 0 };
  const fraction = text.slice(point + 1).replace(/0+$/, '');
  return { units: BigInt(text.slice(0, point) + fraction), scale: fraction.length };
}

/** The shortest plain notation: "0.002", never "0.0020", "-0" or "2e-3". */
export function formatDecimal({ units, scale }: Decimal): string {
  if (scale === 0) return units.toString();
  const sign = units < 0n ? '-' : '';
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** "0.0020" → "0.002", "007" → "7": one spelling for one value. */
export function normaliseDecimal(text: string): string {
  return formatDecimal(parseDecimal(text));
}

/** Negative, zero or positive, as a sort wants it. */
export function compareDecimals(left: Decimal, right: Decimal): number {
  const scale = Math.max(left.scale, right.scale);
  const difference = unitsAt(left, scale) - unitsAt(right, scale);
  if (difference === 0n) return 0;
  return difference < 0n ? -1 : 1;
}

export function addDecimals(left: Decimal, right: Decimal): Decimal {
  const scale = Math.max(left.scale, right.scale);
  return withoutTrailingZeros(unitsAt(left, scale) + unitsAt(right, scale), scale);
}

function unitsAt(decimal: Decimal, scale: number): bigint {
  return decimal.units * 10n ** BigInt(scale - decimal.scale);
}

function withoutTrailingZeros(units: bigint, scale: number): Decimal {
  let shorter = units;
  let places = scale;
  while (places > 0 && shorter % 10n === 0n) {
    shorter /= 10n;
    places--;
  }
  return { units: shorter, scale: places };
}
