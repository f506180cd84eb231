import type { Queryable } from '@tollgate/database/database';
import type { Notifications } from '@tollgate/database/notifications';
import type { Clock } from '@tollgate/kernel/clock';
import type { Service } from '@tollgate/kernel/service';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { followRows } from './follow-rows.ts';
import { readChangedBudgets, type Budget } from './sql-budget.ts';

export interface BudgetDirectory extends Service {
  /** Undefined: the account has no budget. At most a second old while PostgreSQL can be reached. */
  of(accountId: string): Budget | undefined;
  /** Reads what has changed. */
  refresh(): Promise<void>;
}

export interface BudgetDirectoryDeps {
  readonly database: Queryable;
  readonly notifications: Pick<Notifications, 'on'>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Keeps the budgets of all accounts in memory. */
export function createBudgetDirectory({ database, ...deps }: BudgetDirectoryDeps): BudgetDirectory {
  const budgets = followRows<Budget>({
    ...deps,
    channel: 'budgets_changed',
    readChanged: (afterSeq) => readChangedBudgets(database, afterSeq),
    isGone: ({ amountMicros }) => amountMicros === null,
  });
  return {
    ...budgets,
    name: 'budget-directory',
    readiness: () => ({ budgets: budgets.state() }),
  };
}
