import { micros, sumMicros } from '@tollgate/kernel/money';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import { splitCharge, type GrossByKey } from '../fees/fee-splits.ts';
import { refundEntries, type RefundedLine, type RefundPlan } from './plan-refund.ts';

export interface ReinstatementFacts {
  /** The amount of the refund that is undone. */
  readonly amountCents: bigint;
  /** Its lines. */
  readonly lines: readonly RefundedLine[];
  readonly gross: ReadonlyMap<string, GrossByKey>;
}

/**
 * Plans the mirror of a refund: a refund below zero. Charges are the same, with the other sign. Earnings and fees are those
 * of each builder's gross now, so that the fees taken stay the fee on the gross.
 */
export function planReinstatement({ amountCents, lines, gross: before }: ReinstatementFacts): RefundPlan {
  const gross = new Map([...before].map(([builderId, byKey]) => [builderId, new Map(byKey)]));
  const reinstated = lines.map((line): RefundedLine => {
    const byKey = gross.get(line.builderId);
    const grossMicros = byKey?.get(line.grossKey);
    if (!byKey || grossMicros === undefined) throw new Error(`the facts have no gross of builder ${line.builderId}`);
    const again = splitCharge({ grossMicros, chargeMicros: line.chargeMicros });
    byKey.set(line.grossKey, again.grossMicros);
    return {
      ...line,
      chargeMicros: micros(0n - line.chargeMicros),
      earningMicros: micros(0n - again.earningMicros),
      feeMicros: micros(0n - again.feeMicros),
    };
  });
  const amountMicros = centsToMicros(-amountCents);
  const excessMicros = micros(amountMicros - sumMicros(reinstated.map(({ chargeMicros }) => chargeMicros)));
  return { lines: reinstated, gross, entries: refundEntries(reinstated, { amountMicros, excessMicros }) };
}
