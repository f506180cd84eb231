import type { Queryable } from '@tollgate/database/database';
import { feeOn } from '../fees/fee.ts';
import type { LedgerDifference } from './sql-ledger-checks.ts';
import { readFeesTaken } from './sql-read-fees-taken.ts';

const examplesMax = 20;

/** Finds builders whose fees taken differ from the fee on their gross. Returns one difference, or none. */
export async function checkFees(db: Queryable): Promise<LedgerDifference[]> {
  const wrong = (await readFeesTaken(db)).filter(({ grossMicros, feeMicros }) => feeMicros !== feeOn(grossMicros));
  if (wrong.length === 0) return [];
  const examples = wrong
    .slice(0, examplesMax)
    .map(({ builderId, grossKey, grossMicros, feeMicros }) =>
      [
        `builder ${builderId}, ${grossKey}: gross ${grossMicros}`,
        `fees ${feeMicros}, expected ${feeOn(grossMicros)}`,
      ].join(', '),
    );
  return [{ check: 'the fees taken from each builder are the fee on its gross', rows: wrong.length, examples }];
}
