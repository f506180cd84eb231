/** An exact decimal: `units / 10^scale`. `units` has no trailing zeros, so equal values are equal objects. */
export interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

const decimalPattern = /^-?\d+(?:\.\d+)?$/;

export const zeroDecimal: Decimal = { units: 0n, scale: 0 };

/** Reads plain notation ("12", "-0.50"). Throws RangeError for any other text: contracts check input before. */
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

/** One spelling per value: "0.0020" → "0.002", "007" → "7". */
export function normaliseDecimal(text: string): string {
  return formatDecimal(parseDecimal(text));
}

/** Negative, zero or positive, as `sort` needs it. */
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

export function subtractDecimals(left: Decimal, right: Decimal): Decimal {
  return addDecimals(left, { units: -right.units, scale: right.scale });
}

export function multiplyDecimals(left: Decimal, right: Decimal): Decimal {
  return withoutTrailingZeros(left.units * right.units, left.scale + right.scale);
}

/** The smallest whole number that is not below `dividend / divisor`: how many packages of a size hold a quantity. */
export function ceilQuotient(dividend: Decimal, divisor: Decimal): bigint {
  if (divisor.units <= 0n) throw new RangeError('a divisor must be above 0');
  const scale = Math.max(dividend.scale, divisor.scale);
  const [whole, part] = [unitsAt(dividend, scale), unitsAt(divisor, scale)];
  const quotient = whole / part; // rounds towards zero, which is the ceiling of a negative dividend
  return whole > 0n && whole % part !== 0n ? quotient + 1n : quotient;
}

/** The nearest value in units of 10^-places. A tie goes to the even one, so that many ties do not add up to a drift. */
export function roundHalfEven(decimal: Decimal, places: number): bigint {
  if (decimal.scale <= places) return unitsAt(decimal, places);
  const step = powerOfTen(decimal.scale - places);
  const below = floorDivide(decimal.units, step);
  const twice = 2n * (decimal.units - below * step);
  const isUp = twice > step || (twice === step && below % 2n !== 0n);
  return isUp ? below + 1n : below;
}

function floorDivide(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return dividend < 0n && dividend % divisor !== 0n ? quotient - 1n : quotient;
}

function unitsAt(decimal: Decimal, scale: number): bigint {
  return scale === decimal.scale ? decimal.units : decimal.units * powerOfTen(scale - decimal.scale);
}

const powersOfTen = Array.from({ length: 32 }, (_, exponent) => 10n ** BigInt(exponent));

function powerOfTen(exponent: number): bigint {
  return powersOfTen[exponent] ?? 10n ** BigInt(exponent);
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
