import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { onlyRow } from '@tollgate/database/database';
import { sealUsage } from '../../src/usage/seal-usage.ts';
import { planted } from '../support/planted.ts';
import { consumer, createReconciledMonth, type ReconciledMonth } from '../support/reconciled-month.ts';

let month: ReconciledMonth;

beforeAll(async () => {
  month = await createReconciledMonth();
}, 60_000);
afterAll(() => month.world.drop());

const late = `insert into usage.late_usage (consumer_id, tool_id, period) values ('${consumer}', 'search', '2024-01')
  on conflict (consumer_id, tool_id, period) do update set counts = late_usage.counts + 1;`;
const calls = (change: string) => `update usage.rollup set calls = calls ${change} where consumer_id = '${consumer}';`;

/** The verdict of the step on these changes, with the next close's seals if `isSealedAgain`, and of what comes after. */
async function sealsAfter(sql: string, { isSealedAgain = false, later = 'select' } = {}) {
  return planted(month.world.owner, sql, async (database) => {
    if (isSealedAgain) await database.transaction((tx) => sealUsage(tx, { period: '2024-02', firstPeriod: '2023-02' }));
    await database.query(later);
    const { steps } = await month.reconcileOn(database);
    const { left, right, rows, note } = onlyRow(steps.filter(({ name }) => name === 'rollups_seals'));
    return { sums: [left.sum, right.sum], rows, note };
  });
}

describe('F278 seals of usage and calls that were counted late', () => {
  it('let an hour grow until the next close, and say so', async () => {
    expect(await sealsAfter(`${late} ${calls('+ 3')}`)).toEqual({
      sums: ['457', '460'],
      rows: [],
      note: '1 tools have calls that were counted late; the next close seals them again.',
    });
  });

  it('name an hour that has lost calls meanwhile', async () => {
    const { rows } = await sealsAfter(`${late} ${calls('- 3')}`);
    expect(rows).toEqual([expect.stringMatching(/^search at 2024-01-20T10Z: sealed 457 calls .*, now 454 /)]);
  });

  it('are made again by the next close, and hold from then on', async () => {
    const grown = `${late} ${calls('+ 3')}`;
    const sealed = await sealsAfter(grown, { isSealedAgain: true });
    expect(sealed).toEqual({ sums: ['460', '460'], rows: [], note: null });
    const { rows } = await sealsAfter(grown, { isSealedAgain: true, later: calls('+ 1') });
    expect(rows).toEqual([expect.stringMatching(/^search at 2024-01-20T10Z: sealed 460 calls .*, now 461 /)]);
  });

  it('are not made while a month is open', async () => {
    const { steps } = await month.reconcileOn(month.world.checkLedgerOn, { period: '2024-02' });
    expect(steps.find(({ name }) => name === 'rollups_seals')).toMatchObject({
      differing: 0,
      note: 'The period is not closed yet, so its usage is not sealed.',
    });
  });
});
