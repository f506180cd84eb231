import { describe, expect, it } from '@jest/globals';
import { toIso } from '@tollgate/kernel/clock';
import { hourMs } from '@tollgate/kernel/durations';
import { putRollup, putWatermark } from '../support/put-rollup.ts';
import { callHourly, putBudget } from '../support/spending-fixture.ts';
import { useBilling } from '../support/start-billing.ts';

/** It is noon on 21 November 2026. */
const billing = useBilling();
const nowMs = Date.parse('2026-11-21T12:00:00Z');

describe('GET /v1/billing/forecast', () => {
  it('answers with what the month will come to by the hours that are counted, and with the end of the budget', async () => {
    const builder = await billing.newAccount();
    const { accountId, token } = await billing.newAccount();
    const tool = await billing.newTool(builder);
    await putWatermark(billing.owner, '2026-11-21T12:20:00Z');
    await callHourly(billing.owner, { accountId, tool, untilMs: nowMs, hours: 45 * 24, calls: 1 });
    await callHourly(billing.owner, { accountId, tool, untilMs: nowMs + hourMs, hours: 1, calls: 10 }); // an hour that has not ended
    await putRollup(billing.owner, { consumerId: builder.accountId, tool, hour: toIso(nowMs - hourMs), calls: 900 });
    await putBudget(billing.owner, accountId, 6);
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
      days: expect.any(Array),
    });
    const { days } = (await read(token)) as { readonly days: readonly unknown[] };
    expect([days.length, days[19], days[20], days[29]]).toEqual([
      30,
      { date: '2026-11-20', spent_usd: 4.8, estimated_usd: null, estimated_low_usd: null, estimated_high_usd: null },
      { date: '2026-11-21', spent_usd: 4.92, estimated_usd: 5.04, estimated_low_usd: 5.04, estimated_high_usd: 5.04 },
      { date: '2026-11-30', spent_usd: null, estimated_usd: 7.2, estimated_low_usd: 7.2, estimated_high_usd: 7.2 },
    ]);
    await putBudget(billing.owner, accountId, 6, 'day');
    expect(await read(token)).toMatchObject({ budget_usd: null, budget_ends_on: null });
    expect(await read(builder.token)).toMatchObject({ spent_usd: 0, estimated_usd: null, history_days: 0 }); // its own tool is free
  });
});
