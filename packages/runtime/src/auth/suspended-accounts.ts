import type { SuspensionRow } from './read-credentials.ts';

/** The accounts that the operator has cut off, by their id. */
export interface SuspendedAccounts {
  has(accountId: string): boolean;
  /** Takes over what has changed. */
  apply(changed: readonly SuspensionRow[]): void;
  /** Forgets what it knew. */
  replace(suspended: readonly SuspensionRow[]): void;
}

export function createSuspendedAccounts(): SuspendedAccounts {
  let ids = new Set<string>();
  return {
    has: (accountId) => ids.has(accountId),
    apply(changed) {
      for (const row of changed) {
        if (row.resumed_at === null) ids.add(row.account_id);
        else ids.delete(row.account_id);
      }
    },
    replace: (suspended) => void (ids = new Set(suspended.map((row) => row.account_id))),
  };
}
