import type { Database } from '@tollgate/database/database';
import {
  changeAccountCaps,
  dropAccountCaps,
  dropOtherWindows,
  findBudget,
  putBudget,
  type Budget,
} from './sql-budget.ts';
import { lockCapsOf } from './sql-cap-state.ts';
import { lockSettlement } from '../../passes/lock-settlement.ts';
import { windowAt } from '../../passes/spending-window.ts';

/** Sets or removes a budget. The rows of its caps change with it, so a raised cap counts at once at every gateway. */
export function changeBudget(database: Database, budget: Omit<Budget, 'changedSeq'>): Promise<void> {
  const { accountId, amountMicros, window, changedAtMs } = budget;
  return database.transaction(async (tx) => {
    await lockSettlement(tx, accountId);
    await lockCapsOf(tx, [accountId]);
    const before = await findBudget(tx, accountId);
    await putBudget(tx, budget);
    if (amountMicros === null || before?.amountMicros == null) await dropAccountCaps(tx, accountId);
    else if (before.window !== window) await dropOtherWindows(tx, accountId, windowAt(window, changedAtMs));
    if (amountMicros !== null) await changeAccountCaps(tx, { ...budget, changedSeq: 0n });
  });
}
