import type { Database, Transaction } from '@tollgate/database/database';
import { readToolIds } from '../usage/sql-usage-sums.ts';
import type { ReconcileStep } from './reconciliation.ts';
import { compareSeals, isSealed } from './sql-compare-seals.ts';

/**
 * Compares the rollups of a closed month with the sums that its close kept apart. So an event is named that was taken out
 * together with its measures and its rollup, also if nobody was billed for it.
 */
export async function reconcileSeals(database: Database, period: string): Promise<ReconcileStep> {
  return database.transaction((tx) => compareAll(tx, period), { isolation: 'snapshot' });
}

async function compareAll(tx: Transaction, period: string): Promise<ReconcileStep> {
  const sums = { hours: 0n, sealed: 0n, hoursNow: 0n, callsNow: 0n, late: 0, differing: 0, rows: [] as string[] };
  const isClosed = await isSealed(tx, period);
  if (isClosed)
    for await (const toolIds of readToolIds(tx)) {
      const found = await compareSeals(tx, { period, toolIds });
      sums.hours += found.hours;
      sums.sealed += found.sealedCalls;
      sums.hoursNow += found.hoursNow;
      sums.callsNow += found.callsNow;
      sums.late += found.late;
      sums.differing += found.differing;
      sums.rows.push(...found.rows.slice(0, 20 - sums.rows.length));
    }
  return {
    name: 'rollups_seals',
    unit: 'calls',
    left: { what: 'tools and hours, as the close has sealed them', count: sums.hours, sum: String(sums.sealed) },
    right: { what: 'their rollups now', count: sums.hoursNow, sum: String(sums.callsNow) },
    differing: sums.differing,
    rows: sums.rows,
    note: noteOf(isClosed, sums.late),
  };
}

function noteOf(isClosed: boolean, late: number): string | null {
  if (!isClosed) return 'The period is not closed yet, so its usage is not sealed.';
  return late === 0 ? null : `${late} tools have calls that were counted late; the next close seals them again.`;
}
