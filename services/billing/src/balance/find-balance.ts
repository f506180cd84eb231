import type { Database } from '@tollgate/database/database';
import { micros, zeroMicros, type Micros } from '@tollgate/kernel/money';
import type { Clock } from '@tollgate/kernel/clock';
import type { AutoTopUp } from './auto-top-up.ts';
import type { Credit } from './credit.ts';
import { planSpendable, type Spendable } from './plan-spendable.ts';
import { findAutoTopUp } from './sql-auto-top-up.ts';
import { readBalanceBound } from './sql-balance-bound.ts';
import { listOpenCredits } from './sql-balance-credits.ts';
import { readBalanceMicros } from './sql-balance-moves.ts';
import { listThresholds } from './sql-balance-threshold.ts';

export interface FindBalanceDeps {
  readonly api: Database;
  readonly clock: Clock;
  /** Reads the sum of the account's calls that no invoice has billed yet. */
  readonly readUnbilledCharges: (accountId: string, nowMs: number) => Promise<Micros>;
}

export interface Balance extends Spendable {
  /** As the ledger has it. It is the sum of what the credits have left. */
  readonly balanceMicros: Micros;
  /** In the order in which they are spent. */
  readonly credits: readonly Credit[];
  readonly autoTopUp: AutoTopUp | undefined;
  /** The account gets an alert when it has less to spend than one of them. */
  readonly thresholdsCents: readonly bigint[];
}

/** Reads the balance of an account, and what of it can be spent. */
export function createFindBalance({ api, clock, readUnbilledCharges }: FindBalanceDeps) {
  return async function findBalance(accountId: string): Promise<Balance> {
    const nowMs = clock.now();
    const { bound, balanceMicros, ...found } = await api.transaction(
      async (tx) => ({
        balanceMicros: micros(await readBalanceMicros(tx, accountId)),
        bound: await readBalanceBound(tx, accountId, nowMs),
        credits: await listOpenCredits(tx, accountId),
        autoTopUp: await findAutoTopUp(tx, { accountId, nowMs }),
        thresholdsCents: await listThresholds(tx, accountId),
      }),
      { accountId, isolation: 'snapshot' },
    );
    const isUnknown = bound.calls === null && bound.creditLimitMicros !== null; // no call since the limit was set
    const unbilledMicros = isUnknown ? await readUnbilledCharges(accountId, nowMs) : zeroMicros;
    return { ...found, balanceMicros, ...planSpendable({ ledgerMicros: balanceMicros, bound, unbilledMicros }) };
  };
}

export type FindBalance = ReturnType<typeof createFindBalance>;
