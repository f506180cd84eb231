import type { Service } from '@tollgate/kernel/service';
import { followRows, type FollowRowsDeps } from '../caps/follow-rows.ts';
import { readChangedPastDue, type PastDueAccount } from './sql-past-due.ts';
import type { CreditRules } from './credit-rules.ts';
import type { Queryable } from '@tollgate/database/database';

export interface PastDueAccounts extends Service {
  /**
   * Whether calls of the account may have to be refused, at most a second old while PostgreSQL can be reached. It is read
   * again when it is decided about a call, so a payment counts at once.
   */
  has(accountId: string): boolean;
}

export interface PastDueAccountsDeps extends Pick<FollowRowsDeps<PastDueAccount>, 'notifications' | 'clock' | 'log'> {
  readonly database: Queryable;
  readonly rules: Pick<CreditRules, 'refusesPastDue'>;
}

const nothing = async (): Promise<void> => undefined;

/** Knows which accounts are past due, where that refuses calls; else none. */
export function createPastDueAccounts({ database, rules, ...deps }: PastDueAccountsDeps): PastDueAccounts {
  const name = 'past-due-accounts';
  if (!rules.refusesPastDue) return { name, start: nothing, stop: nothing, has: () => false };
  const { of, start, stop, state } = followRows<PastDueAccount>({
    ...deps,
    channel: 'past_due_accounts_changed',
    readChanged: (afterSeq) => readChangedPastDue(database, afterSeq),
    isGone: ({ isPastDue }) => !isPastDue,
  });
  return {
    name,
    start,
    stop,
    readiness: () => ({ past_due_accounts: state() }),
    has: (accountId) => of(accountId) !== undefined,
  };
}
