import { sumMicros } from '@tollgate/kernel/money';
import { mapInTurns } from '@tollgate/runtime/timing/map-in-turns';
import type { FeeScope } from '../fees/fee-scope.ts';
import { splitCharges, type GrossByKey, type PeriodCharge } from '../fees/fee-splits.ts';
import type { UsageMoney } from './usage-money.ts';

/**
 * Splits each row's charges into earning and fee, for the builder. The fee depends on the gross of all rows before, so
 * rows must come in their order.
 */
export async function splitRows(
  rows: readonly (readonly PeriodCharge[])[],
  before: { readonly scope: FeeScope; readonly gross: GrossByKey },
): Promise<UsageMoney[]> {
  let { gross } = before;
  return mapInTurns(rows, (charges) => {
    const after = splitCharges(charges, { scope: before.scope, gross });
    gross = after.gross;
    return {
      chargeMicros: sumMicros(charges.map(({ chargeMicros }) => chargeMicros)),
      split: {
        earningMicros: sumMicros(after.splits.map(({ earningMicros }) => earningMicros)),
        feeMicros: sumMicros(after.splits.map(({ feeMicros }) => feeMicros)),
      },
    };
  });
}
