import { runLedgerCheck } from '@tollgate/billing/operator';

import { CommandError } from './command-error.ts';
import { openDatabase, type DatabaseChoice } from './open-database.ts';

/** `tollgate ledger check`: fails, and names the rows, when anything differs. */
export async function checkLedger(choice: DatabaseChoice): Promise<string> {
  const database = await openDatabase(choice);
  try {
    return tell(await runLedgerCheck({ workerUrl: database.urlFor('billing_worker'), log: choice.log }));
  } finally {
    await database.close();
  }
}

function tell({ waiting, differences, ...counts }: Awaited<ReturnType<typeof runLedgerCheck>>): string {
  const { transactions, entries, invoices, lines, closedPeriods } = counts;
  const read = `${transactions} transactions with ${entries} entries, ${invoices} invoices with ${lines} lines, ${closedPeriods} closed periods`;
  const late = waiting === 0 ? '' : `\n${waiting} lines were counted late and will be on the next invoices.`;
  if (differences.length === 0) return `${read}: everything agrees.${late}`;
  const told = differences.map(
    ({ check, rows, examples }) => `does not hold: ${check}; ${rows} rows\n  ${examples.join('\n  ')}`,
  );
  throw new CommandError([`${read}:`, ...told].join('\n') + late);
}
