import { micros, zeroMicros, type Micros } from '@tollgate/kernel/money';

/** The money of one charge of one price version in one month, over all consumers. */
export interface ChargeSum {
  readonly period: string;
  readonly toolId: string;
  readonly priceId: string;
  /** The place of the charge in its price, from 0. */
  readonly chargeIndex: number;
  readonly name: string | null;
  /** Below 0 where late calls reached a cheaper volume tier. */
  readonly chargeMicros: Micros;
}

/** Adds up charges, and subtracts what is billed of them. */
export function createChargeSums() {
  const sums = new Map<string, ChargeSum>();

  function change({ period, toolId, priceId, chargeIndex, name }: ChargeSum, byMicros: bigint): void {
    const key = [period, toolId, priceId, chargeIndex].join(' ');
    const before = sums.get(key)?.chargeMicros ?? zeroMicros;
    sums.set(key, { period, toolId, priceId, chargeIndex, name, chargeMicros: micros(before + byMicros) });
  }

  return {
    add: (charge: ChargeSum): void => change(charge, charge.chargeMicros),
    subtract: (charge: ChargeSum): void => change(charge, zeroMicros - charge.chargeMicros),
    /** Without charges of 0, ordered by month, tool, price version and charge. */
    list: (): ChargeSum[] =>
      [...sums]
        .filter(([, { chargeMicros }]) => chargeMicros !== 0n)
        .toSorted(([left], [right]) => (left < right ? -1 : 1))
        .map(([, sum]) => sum),
  };
}
