import { micros, type Micros } from './money.ts';

const microsPerCent = 10_000n;

export interface WholeCents {
  readonly totalCents: bigint;
  /** The rest that is not billed now and is carried into the next invoice. */
  readonly carriedOutMicros: Micros;
}

/** The owed amount in whole cents, rounded down. Below the minimum it bills nothing and carries all of it out. */
export function toWholeCents(owedMicros: Micros, minimumMicros: Micros): WholeCents {
  const totalCents = owedMicros < minimumMicros || owedMicros < 0n ? 0n : owedMicros / microsPerCent;
  return { totalCents, carriedOutMicros: micros(owedMicros - centsToMicros(totalCents)) };
}

/** Whole cents, rounded down, also below zero: never more than the amount. */
export function floorToCents(amountMicros: Micros): bigint {
  const isExact = amountMicros % microsPerCent === 0n;
  return amountMicros / microsPerCent - (amountMicros < 0n && !isExact ? 1n : 0n);
}

export function centsToMicros(cents: bigint): Micros {
  return micros(cents * microsPerCent);
}
