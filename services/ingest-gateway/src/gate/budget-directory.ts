import type { Queryable } from '@tollgate/database/database';
import type { Notifications } from '@tollgate/database/notifications';
import type { Clock } from '@tollgate/kernel/clock';
import type { Service } from '@tollgate/kernel/service';
import { createFollower } from '@tollgate/runtime/auth/follow-changes';
import { createOverlap, type Overlap } from '@tollgate/runtime/auth/overlap';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { coalesce } from '@tollgate/runtime/timing/coalesce';
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

/** Keeps the budgets of all accounts in memory. Accounts without one take no memory, and cost a look into this map. */
export function createBudgetDirectory({ database, notifications, clock, log }: BudgetDirectoryDeps): BudgetDirectory {
  const budgets = new Map<string, Budget>();
  let overlap: Overlap | undefined;

  const refresh = coalesce(async () => {
    const nowMs = clock.monotonicMs();
    const changed = await readChangedBudgets(database, overlap?.readAfter(nowMs) ?? 0n);
    for (const budget of changed) {
      if (budget.amountMicros === null) budgets.delete(budget.accountId);
      else budgets.set(budget.accountId, budget);
    }
    const seq = changed.at(-1)?.changedSeq ?? 0n;
    overlap ??= createOverlap(seq);
    overlap.seen(seq, nowMs);
  });

  const follower = createFollower({ channel: 'budgets_changed', notifications, log, refresh });
  return {
    name: 'budget-directory',
    start: follower.start,
    stop: follower.stop,
    readiness: async () => ({ budgets: overlap === undefined ? 'not read yet' : 'ok' }),
    of: (accountId) => budgets.get(accountId),
    refresh,
  };
}
