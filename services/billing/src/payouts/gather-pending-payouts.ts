import { micros } from '@tollgate/kernel/money';
import { periodBounds, periodOf } from '@tollgate/kernel/period';
import type { Transaction } from '@tollgate/database/database';
import type { FeeScope } from '../fees/fee-scope.ts';
import { followingPeriod } from '../invoicing/due-period.ts';
import type { Charged } from './earned.ts';
import type { PendingFacts } from './plan-pending-payouts.ts';
import type { TimedLine } from '@tollgate/pricing/rate-over-time';
import { readBuilderBalances } from './sql-read-builder-balances.ts';
import { readBuilderGross } from '../fees/sql-builder-gross.ts';
import { readMoneyProgress } from './sql-read-money-progress.ts';
import { readUncollected } from './sql-charged-lines.ts';
import { rateUsageOverTime } from '../usage/rate-usage-over-time.ts';

export interface PendingQuery {
  readonly builderId: string;
  readonly scope: FeeScope;
  readonly nowMs: number;
}

/** Reads the builder's earnings that are in no payout: closed periods from the books, open periods rated live. */
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

/** Rates the builder's open periods, in the order in which their lines will be released. */
async function rateOpenPeriods(tx: Transaction, { builderId, sinceMs, untilMs }: OpenPeriods): Promise<Charged[]> {
  if (sinceMs >= untilMs) return [];
  const sums = new Map<string, Charged>();
  const query = { accountId: builderId, role: 'builder', granularity: 'month' } as const;
  const rated = rateUsageOverTime(tx, { ...query, sinceMs, fromMs: sinceMs, toMs: untilMs });
  for await (const lines of rated) for (const line of lines) addLine(sums, line);
  return [...sums].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, charged]) => charged);
}

function addLine(sums: Map<string, Charged>, line: TimedLine): void {
  const { period, toolId, priceId, chargeIndex, name, chargeMicros } = line;
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
