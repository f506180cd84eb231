import { micros } from '@tollgate/kernel/money';
import { periodBounds, periodOf } from '@tollgate/kernel/period';
import type { Transaction } from '@tollgate/database/database';
import type { FeeScope } from '../fees/fee-scope.ts';
import { followingPeriod } from '../invoicing/due-period.ts';
import type { Charged } from './earned.ts';
import type { PendingFacts } from './plan-pending-payouts.ts';
import type { LineSlice } from '@tollgate/pricing/rate-slices';
import { readBuilderBalances } from './sql-read-builder-balances.ts';
import { readBuilderGross } from '../fees/sql-builder-gross.ts';
import { readMoneyProgress } from './sql-read-money-progress.ts';
import { readUncollected } from './sql-charged-lines.ts';
import { rateUsageSlices } from '../usage/rate-usage-slices.ts';

export interface PendingQuery {
  readonly builderId: string;
  readonly scope: FeeScope;
  readonly nowMs: number;
}

/** What a builder earned that is in no payout: from the books where a period is closed, rated live where it is open. */
export async function gatherPendingPayouts(
  tx: Transaction,
  { builderId, scope, nowMs }: PendingQuery,
): Promise<PendingFacts> {
  const { firstClosed, lastClosed, lastPayoutDay } = await readMoneyProgress(tx);
  const balancesOf = await readBuilderBalances(tx, [builderId]);
  const billed = await readUncollected(tx, builderId);
  const sinceMs = lastClosed === null ? 0 : periodBounds(lastClosed).end;
  const open = await rateOpenPeriods(tx, { builderId, sinceMs, untilMs: periodBounds(periodOf(nowMs)).end });
  return {
    builderId,
    scope,
    balances: balancesOf(builderId),
    gross: await readBuilderGross(tx, builderId),
    firstPeriod: lastPayoutDay === null ? firstClosed : followingPeriod(lastPayoutDay),
    uncollected: [...billed, ...open],
  };
}

interface OpenPeriods {
  readonly builderId: string;
  readonly sinceMs: number;
  readonly untilMs: number;
}

/** In the order in which their lines will be released. */
async function rateOpenPeriods(tx: Transaction, { builderId, sinceMs, untilMs }: OpenPeriods): Promise<Charged[]> {
  if (sinceMs >= untilMs) return [];
  const sums = new Map<string, Charged>();
  const asked = { accountId: builderId, role: 'builder', granularity: 'month' } as const;
  const slices = rateUsageSlices(tx, { ...asked, sinceMs, fromMs: sinceMs, toMs: untilMs });
  for await (const batch of slices) for (const slice of batch) addSlice(sums, slice);
  return [...sums].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, charged]) => charged);
}

function addSlice(sums: Map<string, Charged>, slice: LineSlice): void {
  const { period, toolId, priceId, chargeIndex, name, chargeMicros } = slice;
  const key = [period, toolId, priceId, chargeIndex].join(' ');
  const sum = sums.get(key);
  const charged = sum?.chargeMicros ?? 0n;
  sums.set(key, {
    by: 'usage',
    period,
    toolId,
    priceId,
    chargeIndex,
    name,
    chargeMicros: micros(charged + chargeMicros),
  });
}
