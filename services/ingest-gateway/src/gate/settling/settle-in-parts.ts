import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { AccountToSettle } from './read-settlement-facts.ts';
import type { SettleAccounts } from './settle-accounts.ts';

/** So many accounts share the statements and the transaction of a settlement. */
const accountsPerPart = 64;

export interface SettleInPartsDeps {
  readonly settleAccounts: SettleAccounts;
  readonly log: Logger;
  /** Whether the accounts of a part that failed with this error are tried one by one. */
  readonly triesEach: (error: unknown) => boolean;
}

/**
 * Settles accounts in parts. If those of a part cannot be settled together, each is settled alone, so that one holds up no
 * other. Returns the accounts of which more holds have expired.
 */
export async function settleInParts(
  { settleAccounts, log, triesEach }: SettleInPartsDeps,
  accounts: readonly AccountToSettle[],
  nowMs: number,
): Promise<string[]> {
  const unfinished: string[] = [];
  for (let at = 0; at < accounts.length; at += accountsPerPart) {
    const part = accounts.slice(at, at + accountsPerPart);
    try {
      unfinished.push(...(await settleAccounts(part, nowMs)));
    } catch (error) {
      if (!triesEach(error)) throw error;
      for (const account of part) unfinished.push(...(await settleAlone(account)));
    }
  }
  return unfinished;

  async function settleAlone(account: AccountToSettle): Promise<readonly string[]> {
    try {
      return await settleAccounts([account], nowMs);
    } catch (error) {
      log.warn({ err: error, account_id: account.accountId }, 'could not settle an account; its money stays held');
      return [];
    }
  }
}
