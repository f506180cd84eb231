import { micros, zeroMicros, type Micros } from '@tollgate/kernel/money';
import { AppError } from '@tollgate/kernel/app-error';
import type { AutoTopUp, Credit, TopUp, BalanceDeps } from './credit.ts';
import { planSpendable, type Spendable } from './plan-spendable.ts';
import { findAutoTopUp } from './sql-auto-top-up.ts';
import { readBalanceBound, readBalanceMicros } from './sql-balance-moves.ts';
import { listOpenCredits, listCredits } from './sql-balance-credits.ts';
import { listThresholds } from './sql-balance-threshold.ts';
import { findAccount } from '../invoicing/sql-accounts.ts';
import type { ListPage, PageQuery } from '../catalogue/catalogue.ts';
import { findTopUpOf, listTopUps } from './sql-top-ups.ts';
import { createExpireCredits } from './expire-credits.ts';
import { createGrantCredit } from './grant-credit.ts';
import { createOrderTopUp } from './order-top-up.ts';
import { createRaiseThresholdAlerts } from './raise-threshold-alerts.ts';
import { createTopUpAutomatically } from './top-up-automatically.ts';

/** Creates what can be asked of balances: of their credits, their top-ups, and the work that becomes due on them. */
export function createBalances(deps: BalanceDeps) {
  const { api, database, clock, readUnbilledCharges } = deps;

  return {
    findBalance,
    grantCredit: createGrantCredit(deps),
    findCredits,
    orderTopUp: createOrderTopUp(deps),
    findTopUp,
    listTopUps: listOwnTopUps,
    expireCredits: createExpireCredits(deps),
    topUpAutomatically: createTopUpAutomatically(deps),
    raiseThresholds: createRaiseThresholdAlerts(deps),
  };

  /** Reads the balance of an account, and what of it can be spent. */
  async function findBalance(accountId: string): Promise<Balance> {
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
  }

  /** Lists all credits of an account, newest first, for the operator. Throws `not_found`. */
  async function findCredits(accountId: string): Promise<Credit[]> {
    if ((await findAccount(database, accountId)) === undefined)
      throw new AppError('not_found', `There is no account \`${accountId}\`.`);
    return listCredits(database, accountId);
  }

  /** Finds a top-up of this account. Throws `not_found`. */
  async function findTopUp(of: Pick<TopUp, 'id' | 'accountId'>): Promise<TopUp> {
    const topUp = await api.transaction((tx) => findTopUpOf(tx, of), { accountId: of.accountId });
    if (topUp === undefined) throw new AppError('not_found', `You have no top-up \`${of.id}\`.`);
    return topUp;
  }

  /** Lists the top-ups of this account, newest first. */
  function listOwnTopUps(query: PageQuery & { readonly accountId: string }): Promise<ListPage<TopUp>> {
    return api.transaction((tx) => listTopUps(tx, query), { accountId: query.accountId });
  }
}

export type Balances = ReturnType<typeof createBalances>;

export interface Balance extends Spendable {
  /** As the ledger has it. It is the sum of what the credits have left. */
  readonly balanceMicros: Micros;
  /** In the order in which they are spent. */
  readonly credits: readonly Credit[];
  readonly autoTopUp: AutoTopUp | undefined;
  /** The account gets an alert when it has less to spend than one of them. */
  readonly thresholdsCents: readonly bigint[];
}
