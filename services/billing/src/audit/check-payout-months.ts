import { nilUuid } from '@tollgate/kernel/uuid';
import type { Queryable } from '@tollgate/database/database';
import { payoutIdOf } from '../payouts/payout.ts';
import type { LedgerDifference } from './sql-ledger-checks.ts';
import { listPayoutMonths } from './sql-list-payout-months.ts';

const batchRows = 5_000;
const examplesMax = 20;

/** Finds payouts of another month or builder than the one that their ids are made of. Returns one difference, or none. */
export async function checkPayoutMonths(db: Queryable): Promise<LedgerDifference[]> {
  let rows = 0;
  const examples: string[] = [];
  for (let afterId: string | undefined = nilUuid; afterId !== undefined;) {
    const batch = await listPayoutMonths(db, afterId, batchRows);
    const wrong = batch.filter(({ id, builderId, period }) => payoutIdOf(builderId, period) !== id);
    rows += wrong.length;
    examples.push(
      ...wrong
        .slice(0, examplesMax - examples.length)
        .map(({ id, builderId, period }) => `payout ${id} of builder ${builderId} is labelled ${period}`),
    );
    afterId = batch.at(-1)?.id;
  }
  return rows === 0 ? [] : [{ check: 'each payout is of the month that its id is made of', rows, examples }];
}
