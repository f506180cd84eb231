import { describe, expect, it } from '@jest/globals';
import type { OperatorOverview } from '@tollgate/contracts/operator/overview';
import { frozenClock } from '../support/frozen-clock.ts';
import { systemClock } from '@tollgate/kernel/clock';
import { createMetrics } from '@tollgate/runtime/metrics/create-metrics';
import { createCountingLag } from '../../src/operate/counting-lag.ts';
import { createObserveMoney } from '../../src/operate/observe-money.ts';
import { silentLog } from '../support/silent-log.ts';
import { putRollup, putWatermark } from '../support/put-rollup.ts';
import { operatorToken, startOfTests, useBilling } from '../support/start-billing.ts';

const billing = useBilling();

const read = async () => {
  const { status, body } = await billing.send<OperatorOverview>('GET', '/v1/operator/overview', {
    token: operatorToken,
  });
  expect(status).toBe(200);
  return body;
};

describe('GET /v1/operator/overview', () => {
  it('is whole before anything has happened', async () => {
    expect(await read()).toMatchObject({
      now: startOfTests,
      today: { starts_at: '2026-11-21T00:00:00.000Z', calls: 0, failed_calls: 0 },
      month: { period: '2026-11', calls: 0, collected_usd: 0, platform_fees_usd: 0 },
      due_work: [],
      unknown_outcomes: { count: 0, oldest_at: null },
      dead_letters: { count: 0, oldest_at: null },
      unclosed_consumers: 0,
      machine: { certificate: null, disk: null },
    });
  });

  it('sums the calls of all accounts, of today and of this month', async () => {
    const builder = await billing.newAccount();
    const tools = [await billing.newTool(builder), await billing.newTool(builder)];
    const hours = ['2026-10-31T23:00:00Z', '2026-11-01T00:00:00Z', '2026-11-20T23:00:00Z', '2026-11-21T00:00:00Z'];
    for (const tool of tools)
      for (const hour of hours) {
        const { accountId: consumerId } = await billing.newAccount();
        await putRollup(billing.owner, { consumerId, tool, hour, calls: 10 });
        await putRollup(billing.owner, { consumerId, tool, hour, calls: 1, success: false });
      }
    expect(await read()).toMatchObject({
      today: { calls: 22, failed_calls: 2 },
      month: { calls: 66, failed_calls: 6 },
    });
  });

  it('counts dead letters that wait, and says since when; those that were replayed do not', async () => {
    const put = `insert into usage.dead_letter (topic, partition, log_offset, code, reason, stored_at, record, replayed_at, replayed_to_partition, replayed_to_offset)
values ('t', 0, $1, 'unreadable', 'a test', $2, '', $3, $4::int, $4::int)`;
    await billing.owner.query(put, [1, '2026-11-20T10:00:00Z', '2026-11-20T11:00:00Z', 0]);
    await billing.owner.query(put, [2, '2026-11-20T12:00:00Z', null, null]);
    await billing.owner.query(put, [3, '2026-11-20T13:00:00Z', null, null]);
    expect(await read()).toMatchObject({ dead_letters: { count: 2, oldest_at: '2026-11-20T12:00:00.000Z' } });
  });

  it('shows how far counting was behind, minute by minute', async () => {
    expect((await read()).counting).toEqual({ counted_through: null, lag_seconds: null, last_hour: [] });
    const lag = createCountingLag();
    const observing = createObserveMoney({
      database: billing.owner,
      processor: { name: 'sandbox' },
      payoutDelayMs: 0,
      metrics: createMetrics({ service: 'billing' }),
      clock: frozenClock(startOfTests),
      clockCheck: { isRight: () => true },
      noteLag: (seconds) => lag.note(systemClock.now(), seconds),
      log: silentLog,
    });
    const readings = async () => {
      await observing.start();
      await observing.stop(); // waits for the reading that the start began
      return lag.lastHour(systemClock.now()).map(({ lagSeconds }) => lagSeconds);
    };
    expect(await readings()).toEqual([]);
    await putWatermark(billing.owner, new Date(Date.parse(startOfTests) - 2_500).toISOString());
    expect((await readings()).at(-1)).toBe(2.5);
  });
});
