import type { Database } from '@tollgate/database/database';
import { micros, type Micros } from '@tollgate/kernel/money';
import type { Clock } from '@tollgate/kernel/clock';
import type { AutoTopUp } from './auto-top-up.ts';
import type { Credit } from './credit.ts';
import { findAutoTopUp } from './sql-auto-top-up.ts';
import { listOpenCredits } from './sql-balance-credits.ts';
import { readBalanceMicros } from './sql-balance-moves.ts';

export interface Balance {
  /** As the ledger has it. It is the sum of what the credits have left. */
  readonly balanceMicros: Micros;
  /** In the order in which they are spent. */
  readonly credits: readonly Credit[];
  /** The part that nothing spends now: top-ups with an open dispute. */
  readonly heldCents: bigint;
  readonly autoTopUp: AutoTopUp | undefined;
}

/** Reads the balance of an account. */
export function createFindBalance({ api, clock }: { readonly api: Database; readonly clock: Clock }) {
  return function findBalance(accountId: string): Promise<Balance> {
    return api.transaction(
      async (tx) => {
        const credits = await listOpenCredits(tx, accountId);
        const held = credits.filter(({ isDisputed }) => isDisputed);
        return {
          balanceMicros: micros(await readBalanceMicros(tx, accountId)),
          credits,
          heldCents: held.reduce((sum, { leftCents }) => sum + leftCents, 0n),
          autoTopUp: await findAutoTopUp(tx, { accountId, nowMs: clock.now() }),
        };
      },
      { accountId, isolation: 'snapshot' },
    );
  };
}

export type FindBalance = ReturnType<typeof createFindBalance>;
