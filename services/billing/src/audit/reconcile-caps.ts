import type { Database, Transaction } from '@tollgate/database/database';
import { formatUsd, micros, sumMicros, zeroMicros, type Micros } from '@tollgate/kernel/money';
import { nilUuid } from '@tollgate/kernel/uuid';
import { rateUsage } from '@tollgate/pricing/rate-usage';
import { readRatedPrices } from '../usage/sql-read-rated-prices.ts';
import { sumUsageByPrice } from '../usage/sql-sum-usage-by-price.ts';
import { spansOf } from '../usage/usage-row.ts';
import { differingRows, type ReconcileScope, type ReconcileStep } from './reconciliation.ts';
import { readComparedCaps, readUnsettled, type CapsQuery, type ComparedCap } from './sql-compare-caps.ts';

const batchAccounts = 500;

/**
 * Compares the rows of spending caps with holds and usage. What is held is the sum of the holds. What an account has spent of
 * a month is the month, rated again without the calls that no settlement has seen yet. What a pass, or a day, has spent is
 * what its calls came to when they were settled, since no rating of a part adds up to the whole (decision 188).
 */
export async function reconcileCaps(database: Database, scope: ReconcileScope): Promise<ReconcileStep> {
  const sums = { count: 0n, kept: 0n, found: 0n, late: 0, rows: [] as string[] };
  for (let afterId: string | undefined = nilUuid; afterId !== undefined;) {
    const query: CapsQuery = { ...scope, afterId, accountsMax: batchAccounts };
    const checked = await database.transaction((tx) => checkCaps(tx, query), { isolation: 'snapshot' });
    for (const { cap, spentMicros } of checked) {
      sums.count += 1n;
      sums.kept += cap.spentMicros + cap.heldMicros;
      sums.found += spentMicros + cap.liveMicros;
      sums.late += Number(cap.isOfMonth && cap.isLate);
      sums.rows.push(...differencesOf(cap, spentMicros));
    }
    afterId = checked.at(-1)?.cap.accountId;
  }
  return {
    name: 'caps_usage',
    unit: 'usd',
    left: { what: 'spent and held, by the caps', count: sums.count, sum: formatUsd(micros(sums.kept)) },
    right: { what: 'rated usage and holds of the caps', count: sums.count, sum: formatUsd(micros(sums.found)) },
    ...differingRows(sums.rows),
    note: sums.late === 0 ? null : `${sums.late} caps ended before calls of their month were counted late.`,
  };
}

interface CheckedCap {
  readonly cap: ComparedCap;
  readonly spentMicros: bigint;
}

async function checkCaps(tx: Transaction, query: CapsQuery): Promise<readonly CheckedCap[]> {
  const caps = await readComparedCaps(tx, query);
  const rated = await rateMonths(
    tx,
    query.period,
    caps.filter(isRated).map(({ accountId }) => accountId),
  );
  return caps.map((cap) => ({ cap, spentMicros: spentOf(cap, rated.get(cap.accountId) ?? zeroMicros) }));
}

function isRated({ isOfMonth, isLate }: ComparedCap): boolean {
  return isOfMonth && !isLate;
}

/** Rates the months of each account. */
async function rateMonths(
  tx: Transaction,
  period: string,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, Micros>> {
  const spans = spansOf(accountIds, { firstPeriod: period, lastPeriod: period });
  const usage = [...(await sumUsageByPrice(tx, spans)), ...(await readUnsettled(tx, accountIds, period))];
  const prices = await readRatedPrices(tx, [...new Set(usage.map(({ priceId }) => priceId))]);
  const lines = Map.groupBy(rateUsage(usage, prices), ({ consumerId }) => consumerId);
  return new Map([...lines].map(([id, ofAccount]) => [id, sumMicros(ofAccount.map((line) => line.chargeMicros))]));
}

function spentOf(cap: ComparedCap, ratedMicros: Micros): bigint {
  return isRated(cap) ? ratedMicros : cap.unheldMicros + cap.settledMicros;
}

function differencesOf(cap: ComparedCap, ratedMicros: bigint): string[] {
  const { name, spentMicros, heldMicros, liveMicros, unheldMicros, settledMicros } = cap;
  const differences: string[] = [];
  if (heldMicros !== liveMicros) differences.push(`${name}: held ${heldMicros}, its holds ${liveMicros} micro-dollars`);
  if (isRated(cap) && spentMicros !== ratedMicros)
    differences.push(`${name}: spent ${spentMicros}, its usage comes to ${ratedMicros} micro-dollars`);
  if (spentMicros !== unheldMicros + settledMicros)
    differences.push(
      `${name}: spent ${spentMicros}, its calls came to ${settledMicros} micro-dollars and ${unheldMicros} without holds`,
    );
  return differences;
}
