import { runLedgerCheck } from '@tollgate/billing/operator';

import { CommandError } from './command-error.ts';
import { withDatabase, type DatabaseChoice } from './open-database.ts';

/** `tollgate operator ledger check`: throws, with the rows' names, if any check fails. */
export async function checkLedger(choice: DatabaseChoice): Promise<string> {
  const check = withDatabase(choice, ({ urlFor }) =>
    runLedgerCheck({ workerUrl: urlFor('billing_worker'), log: choice.log }),
  );
  const { waiting, heads, differences, ...counts } = await check;
  const { transactions, entries, invoices, lines, closedPeriods } = counts;
  const read = `${transactions} transactions with ${entries} entries, ${invoices} invoices with ${lines} lines, ${closedPeriods} closed periods`;
  const late = waiting === 0 ? '' : `\n${waiting} lines were counted late and will be on the next invoices.`;
  const chains = heads.map((head) => `\nsealed: ${head}`).join('');
  if (differences.length === 0) return `${read}: everything agrees.${late}${chains}`;
  const failed = differences.map(
    (difference) =>
      `does not hold: ${difference.check}; ${difference.rows} rows\n  ${difference.examples.join('\n  ')}`,
  );
  throw new CommandError([`${read}:`, ...failed].join('\n') + late);
}
