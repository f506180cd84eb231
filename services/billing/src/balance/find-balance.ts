import type { Database } from '@tollgate/database/database';
import { micros, type Micros } from '@tollgate/kernel/money';
import type { Credit } from './credit.ts';
import { listOpenCredits } from './sql-balance-credits.ts';
import { readBalanceMicros } from './sql-balance-moves.ts';

export interface Balance {
  /** As the ledger has it. It is the sum of what the credits have left. */
  readonly balanceMicros: Micros;
  /** In the order in which they are spent. */
  readonly credits: readonly Credit[];
}

/** Reads the balance of an account. */
export function createFindBalance({ api }: { readonly api: Database }) {
  return function findBalance(accountId: string): Promise<Balance> {
    return api.transaction(
      async (tx) => ({
        balanceMicros: micros(await readBalanceMicros(tx, accountId)),
        credits: await listOpenCredits(tx, accountId),
      }),
      { accountId, isolation: 'snapshot' },
    );
  };
}

export type FindBalance = ReturnType<typeof createFindBalance>;
