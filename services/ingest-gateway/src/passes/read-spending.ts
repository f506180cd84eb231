import type { Database, Transaction } from '@tollgate/database/database';
import type { Pass } from './pass.ts';
import { findPassSpending } from './sql-pass-spending.ts';

/** The spending of a pass in its present window. Only a cap's figures are read: without a cap PostgreSQL may be away. */
export async function readSpendingOf(api: Database, pass: Pass, nowMs: number) {
  if (pass.cap === undefined) return { spending: undefined, nowMs };
  return api.transaction((tx) => spendingIn(tx, pass, nowMs), { accountId: pass.accountId });
}

export async function spendingIn(tx: Transaction, pass: Pass, nowMs: number) {
  const spending = await findPassSpending(tx, [pass], nowMs);
  return { spending: spending.get(pass.passId), nowMs };
}
