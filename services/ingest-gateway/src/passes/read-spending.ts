import type { Database, Transaction } from '@tollgate/database/database';
import type { Pass, StoredPass } from './pass.ts';
import { findPassSpending, type PassSpending } from './sql-pass-spending.ts';

/** The spending of passes in their present windows, by pass. */
export interface Spendings {
  readonly spendings: ReadonlyMap<string, PassSpending>;
  readonly nowMs: number;
}

/** Only caps have figures that are read: without a cap PostgreSQL may be away. */
export async function readSpendingsOf(
  api: Database,
  passes: readonly StoredPass[],
  { accountId, nowMs }: { readonly accountId: string; readonly nowMs: number },
): Promise<Spendings> {
  if (passes.every(({ cap }) => cap === undefined)) return { spendings: new Map(), nowMs };
  return api.transaction((tx) => spendingsIn(tx, passes, nowMs), { accountId });
}

export async function spendingsIn(tx: Transaction, passes: readonly StoredPass[], nowMs: number): Promise<Spendings> {
  return { spendings: await findPassSpending(tx, passes, nowMs), nowMs };
}

/** Reads also that of all above a pass: its holder hears whether little is left of any. */
export function readOwnSpendings(api: Database, pass: Pass, nowMs: number): Promise<Spendings> {
  return readSpendingsOf(api, [...pass.ancestors, pass], { accountId: pass.accountId, nowMs });
}
