import type { Transaction } from '@tollgate/database/database';
import { AppError } from '@tollgate/kernel/app-error';
import type { Micros } from '@tollgate/kernel/money';
import type { Payout, PayoutStatus, BillingAccount, PayoutReadingDeps } from './payout.ts';
import { planPendingPayouts, type PendingPayout } from './plan-pending-payouts.ts';
import { readPayouts, readAnyPayout } from './sql-payouts.ts';
import { gatherPendingSums } from './gather-pending-payouts.ts';
import type { ListPage } from '../catalogue/catalogue.ts';
import { readTransfers, type TransferAttempt } from './sql-transfers.ts';
import { openPayout, type OpenedPayout } from './open-payout.ts';
import { findConnectedAccount } from '../processor/sql-connected-accounts.ts';
import { createReadStatement } from './read-statement.ts';

/** Creates what can be asked of payouts: by their builders, and by the operator. */
export function createPayouts(deps: PayoutReadingDeps) {
  const { api, worker, processor, scope, clock } = deps;

  return {
    listPayouts: createListPayouts(deps),
    findPayout,
    readStatement: createReadStatement(deps),
    findPayoutAttempts,
    readPendingBalance,
    readBillingAccount,
  };

  /**
   * Finds a payout of this builder with its transfers. Throws `not_found` for an unknown id, and for another builder's
   * payout.
   */
  async function findPayout({ builderId, id }: OwnPayout): Promise<FoundPayout> {
    return api.transaction(
      async (tx) => {
        const opened = await openPayout(tx, { builderId, id, scope, nowMs: clock.now() });
        if (opened === undefined) throw noSuchPayout(id);
        return { ...opened, transfers: await readTransfers(tx, id) };
      },
      { accountId: builderId, isolation: 'snapshot' },
    );
  }

  /** Finds any builder's payout with its transfers, for the operator. Throws `not_found`. */
  async function findPayoutAttempts(payoutId: string): Promise<PayoutAttempts> {
    return worker.transaction(async (tx) => {
      const payout = await readAnyPayout(tx, payoutId);
      if (payout === undefined) throw new AppError('not_found', `There is no payout \`${payoutId}\`.`);
      return { payout, transfers: await readTransfers(tx, payoutId) };
    });
  }

  /**
   * Reads everything that a builder has earned and was not paid, less its fee. It includes uncollected money and this
   * month's calls.
   */
  async function readPendingBalance(builderId: string): Promise<Micros> {
    return api.transaction(
      async (tx) => {
        const facts = await gatherPendingSums(tx, { builderId, scope, nowMs: clock.now() });
        return planPendingPayouts(facts).balanceMicros;
      },
      { accountId: builderId, isolation: 'snapshot' },
    );
  }

  /** Reads an account's payout account with its pending balance. */
  async function readBillingAccount(accountId: string): Promise<BillingAccount> {
    const builder = { builderId: accountId, processor: processor.name };
    const [known, pendingBalanceMicros] = await Promise.all([
      api.transaction((tx) => findConnectedAccount(tx, builder), { accountId }),
      readPendingBalance(accountId),
    ]);
    const isConnected = known !== undefined && known.areDetailsSubmitted && !known.isDisconnected;
    return {
      processorAccountId: isConnected ? known.processorAccountId : null,
      isPayoutEnabled: isConnected && known.arePayoutsEnabled,
      pendingBalanceMicros,
      state: known?.isDisconnected === false ? known : undefined,
    };
  }
}

export type Payouts = ReturnType<typeof createPayouts>;

/**
 * Lists a builder's payouts, of which there is one per period, latest period first. Pending payouts are of later
 * periods than all others.
 */
function createListPayouts({ api, scope, clock }: PayoutReadingDeps) {
  return async function listPayouts(query: PayoutPageQuery): Promise<ListPage<Payout | PendingPayout>> {
    const { builderId, limit, status, beforePeriod } = query;
    const includesPending = status === undefined || status === 'pending';
    const read = async (tx: Transaction): Promise<ListPage<Payout | PendingPayout>> => {
      const pending = includesPending ? await readPending(tx) : []; // rated live, so only if the query wants them
      if (status === 'pending') return pageOf(pending, { payouts: [], total: 0 });
      return pageOf(pending, await readPayouts(tx, { ...query, status, limit: limit + 1 }));
    };

    async function readPending(tx: Transaction): Promise<PendingPayout[]> {
      const { payouts } = planPendingPayouts(await gatherPendingSums(tx, { builderId, scope, nowMs: clock.now() }));
      return payouts.toReversed().filter(({ period }) => query.period === undefined || period === query.period);
    }

    function pageOf(pending: readonly PendingPayout[], stored: { payouts: readonly Payout[]; total: number }) {
      const rows = [...pending, ...stored.payouts].filter(({ period }) => !beforePeriod || period < beforePeriod);
      return { rows: rows.slice(0, limit + 1), total: pending.length + stored.total };
    }

    return api.transaction(read, { accountId: builderId, isolation: 'snapshot' });
  };
}

export interface PayoutPageQuery {
  readonly builderId: string;
  readonly status?: PayoutStatus | 'pending' | undefined;
  readonly period?: string | undefined;
  /** Only payouts of earlier periods; the page before ended at this one. */
  readonly beforePeriod?: string | undefined;
  readonly limit: number;
}

export interface FoundPayout extends OpenedPayout {
  readonly transfers: readonly TransferAttempt[];
}

export interface OwnPayout {
  readonly builderId: string;
  readonly id: string;
}

function noSuchPayout(id: string): AppError {
  return new AppError('not_found', `You have no payout \`${id}\`.`);
}

export interface PayoutAttempts {
  readonly payout: Payout;
  readonly transfers: readonly TransferAttempt[];
}
