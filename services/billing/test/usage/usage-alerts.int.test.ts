import { beforeAll, describe, expect, it } from '@jest/globals';
import { dayMs, hourMs } from '@tollgate/kernel/durations';
import { toIso } from '@tollgate/kernel/clock';
import { createMetrics } from '@tollgate/runtime/metrics/create-metrics';
import { createRaiseUsageAlerts } from '../../src/usage/raise-usage-alerts.ts';
import { hearingLog } from '../support/hearing-log.ts';
import { putRollup } from '../support/put-rollup.ts';
import { operatorToken as token, useBilling, type TestAccount } from '../support/start-billing.ts';

const billing = useBilling();
const nowMs = Date.parse('2026-11-21T12:34:56.789Z');
const { log, heard } = hearingLog();
const metrics = createMetrics({ service: 'billing' });
let builder: TestAccount;
let [loops, grows, steady, small]: TestAccount[] = [];

/** Calls of `search` so many days before now. */
const use = ({ accountId: consumerId }: TestAccount, calls: number, daysAgo: number) =>
  putRollup(billing.owner, {
    consumerId,
    tool: 'search',
    hour: toIso(Date.parse('2026-11-21T11:00:00Z') - daysAgo * dayMs),
    calls,
  });

beforeAll(async () => {
  builder = await billing.newAccount();
  [loops, grows, steady, small] = await Promise.all([1, 2, 3, 4].map(() => billing.newAccount()));
  await billing.newTool(builder, { slug: 'another' });
  await billing.newTool(builder, { slug: 'search' });
});

describe('F150 usage that grows fast', () => {
  it('is an alert for whoever calls far more than usual, and for nobody else', async () => {
    if (!loops || !grows || !steady || !small) throw new Error('an account is missing');
    await use(loops, 1_000, 0); // never before
    await use(grows, 28 * 100, 5); // 100 per day
    await use(grows, 1_000, 0);
    await use(steady, 28 * 101, 5);
    await use(steady, 1_000, 0);
    await use(small, 999, 0);
    await use(builder, 5_000, 0); // its own tool is free
    const steps = [1, 2].map(() =>
      createRaiseUsageAlerts({
        database: billing.owner,
        settings: { factor: 10, callsMin: 1_000 },
        log,
        metrics,
        batchTools: 1,
      }),
    );
    await Promise.all(steps.map((step) => step(nowMs)));
    for (const step of steps) await step(nowMs + hourMs);
    const { body } = await billing.send<{ alerts: { account_id: string }[] }>('GET', '/v1/operator/usage-alerts', {
      token,
    });
    expect(new Set(body.alerts.map(({ account_id: id }) => id))).toEqual(new Set([loops.accountId, grows.accountId]));
    expect(body).toMatchObject({ total: 2, has_more: false });
    expect(body.alerts).toContainEqual(
      expect.objectContaining({
        account_id: grows.accountId,
        tool_id: 'search',
        day: '2026-11-21',
        calls: '1000',
        usual_calls: '100.00',
      }),
    );
    expect(heard('far more than usual')).toHaveLength(2);
    expect(await metrics.registry.metrics()).toContain('tollgate_billing_usage_alerts{service="billing"} 2');
  });

  it('is not looked for without the setting', async () => {
    const step = createRaiseUsageAlerts({ database: billing.owner, settings: { factor: 0, callsMin: 1 }, log });
    await step(nowMs + 2 * dayMs);
    expect((await billing.send<{ total: number }>('GET', '/v1/operator/usage-alerts', { token })).body.total).toBe(2);
  });
});
