import type { Queryable } from '@tollgate/database/database';
import { feeOn } from '../fees/fee.ts';
import type { LedgerDifference } from './sql-ledger-checks.ts';
import { readFeesTaken } from './sql-read-fees-taken.ts';

const examplesMax = 20;

/** None, or one: builders of whom another fee was taken than is due on their gross. */
export async function checkFees(db: Queryable): Promise<LedgerDifference[]> {
  const wrong = (await readFeesTaken(db)).filter(({ grossMicros, feeMicros }) => feeMicros !== feeOn(grossMicros));
  if (wrong.length === 0) return [];
  const examples = wrong
    .slice(0, examplesMax)
    .map(({ builderId, grossKey, grossMicros, feeMicros }) =>
      [`builder ${builderId}, ${grossKey}: gross ${grossMicros}`, `fees ${feeMicros}, due ${feeOn(grossMicros)}`].join(
        ', ',
      ),
    );
  return [{ check: 'the fees taken are those on each builder’s gross', rows: wrong.length, examples }];
}
