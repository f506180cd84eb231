import type { Database, Transaction } from '@tollgate/database/database';
import type { FeeScope } from '../fees/fee-scope.ts';
import type { Payout, PayoutStatus } from './payout.ts';
import { planPendingPayouts, type PendingPayout } from './plan-pending-payouts.ts';
import { readPayouts } from './sql-payouts.ts';
import { gatherPendingSums } from './gather-pending-payouts.ts';
import type { ListPage } from '../catalogue/catalogue.ts';

export interface PayoutReadingDeps {
  readonly database: Database;
  readonly scope: FeeScope;
  readonly nowMs: () => number;
}

export interface PayoutPageQuery {
  readonly builderId: string;
  readonly status?: PayoutStatus | 'pending' | undefined;
  readonly period?: string | undefined;
  /** Only payouts of earlier periods; the page before ended at this one. */
  readonly beforePeriod?: string | undefined;
  readonly limit: number;
}

/**
 * Lists a builder's payouts, of which there is one per period, latest period first. Pending payouts are of later
 * periods than all others.
 */
export function createListPayouts({ database, scope, nowMs }: PayoutReadingDeps) {
  return async function listPayouts(query: PayoutPageQuery): Promise<ListPage<Payout | PendingPayout>> {
    const { builderId, limit, status, beforePeriod } = query;
    const includesPending = status === undefined || status === 'pending';
    const read = async (tx: Transaction): Promise<ListPage<Payout | PendingPayout>> => {
      const pending = includesPending ? await readPending(tx) : []; // rated live, so only if the query wants them
      if (status === 'pending') return pageOf(pending, { payouts: [], total: 0 });
      return pageOf(pending, await readPayouts(tx, { ...query, status, limit: limit + 1 }));
    };

    async function readPending(tx: Transaction): Promise<PendingPayout[]> {
      const { payouts } = planPendingPayouts(await gatherPendingSums(tx, { builderId, scope, nowMs: nowMs() }));
      return payouts.toReversed().filter(({ period }) => query.period === undefined || period === query.period);
    }

    function pageOf(pending: readonly PendingPayout[], stored: { payouts: readonly Payout[]; total: number }) {
      const rows = [...pending, ...stored.payouts].filter(({ period }) => !beforePeriod || period < beforePeriod);
      return { rows: rows.slice(0, limit + 1), total: pending.length + stored.total };
    }

    return database.transaction(read, { accountId: builderId, isolation: 'snapshot' });
  };
}

export type ListPayouts = ReturnType<typeof createListPayouts>;
