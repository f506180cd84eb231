import { describe, expect, it } from '@jest/globals';
import { toIso } from '@tollgate/kernel/clock';
import { hourMs } from '@tollgate/kernel/durations';
import { putRollup, putWatermark } from '../support/put-rollup.ts';
import { useBilling } from '../support/start-billing.ts';

/** It is noon on 21 November 2026. */
const billing = useBilling();
const nowMs = Date.parse('2026-11-21T12:00:00Z');

/** One call of a tool of one cent in each hour of so many days, and ten more in the hour that has not ended. */
async function callHourly({ accountId: consumerId }: { readonly accountId: string }, tool: string, days: number) {
  for (let ms = nowMs - days * 24 * hourMs; ms < nowMs; ms += hourMs)
    await putRollup(billing.owner, { consumerId, tool, hour: toIso(ms) });
  await putRollup(billing.owner, { consumerId, tool, hour: toIso(nowMs), calls: 10 });
}

const putBudget = (accountId: string, cents: number, window: 'day' | 'month') =>
  billing.owner.query(
    `insert into gate.budget (account_id, amount_micros, window_kind, alerts, changed_at) values ($1, $2, $3, '{}', now())
     on conflict (account_id) do update set window_kind = excluded.window_kind`,
    [accountId, cents * 10_000, window],
  );

describe('GET /v1/billing/forecast', () => {
  it('answers with what the month will come to by the hours that are counted, and with the end of the budget', async () => {
    const builder = await billing.newAccount();
    const { accountId, token } = await billing.newAccount();
    const tool = await billing.newTool(builder);
    await putWatermark(billing.owner, '2026-11-21T12:20:00Z');
    await callHourly({ accountId }, tool, 45);
    await putRollup(billing.owner, { consumerId: builder.accountId, tool, hour: toIso(nowMs - hourMs), calls: 900 });
    await putBudget(accountId, 600, 'month');
    const read = async (of: string) => (await billing.send('GET', '/v1/billing/forecast', { token: of })).body;
    expect(await read(token)).toEqual({
      period: '2026-11',
      through: '2026-11-21T12:00:00.000Z',
      spent_usd: 4.92,
      estimated_usd: 7.2,
      estimated_low_usd: 7.2,
      estimated_high_usd: 7.2,
      budget_usd: 6,
      budget_ends_on: '2026-11-25',
      history_days: 42,
    });
    await putBudget(accountId, 600, 'day');
    expect(await read(token)).toMatchObject({ budget_usd: null, budget_ends_on: null });
    expect(await read(builder.token)).toMatchObject({ spent_usd: 0, estimated_usd: null, history_days: 0 }); // its own tool is free
  });
});
