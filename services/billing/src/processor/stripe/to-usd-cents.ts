/** A transaction of the platform's balance: the amount in the currency in which Stripe settled it. */
export interface SettledAmount {
  readonly amount: number;
  readonly currency: string;
}

/**
 * Converts cents of the currency of settlement to US cents, at the rate of their own transaction: `usdCents` were settled as
 * `settled.amount`. That quotient is Stripe's `exchange_rate`, as whole numbers and for currencies without cents too. Halves
 * are rounded up.
 */
export function toUsdCents(cents: number, settled: SettledAmount, usdCents: number): bigint {
  if (settled.currency === 'usd') return BigInt(cents);
  const [times, by] = [BigInt(Math.abs(usdCents)), BigInt(Math.abs(settled.amount))];
  if (by === 0n) return 0n;
  const doubled = 2n * BigInt(Math.abs(cents)) * times + by;
  const whole = doubled / (2n * by);
  return cents < 0 ? -whole : whole;
}
