import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { webhookTypes } from '@tollgate/contracts/webhooks/webhook-types';
import type { Database } from '@tollgate/database/database';
import { toIso } from '@tollgate/kernel/clock';
import { dayMs, hourMs } from '@tollgate/kernel/durations';
import { createWatchSpending } from '../../src/forecast/watch-spending.ts';
import { describeCrashes } from '../support/describe-crashes.ts';
import { hearingLog } from '../support/hearing-log.ts';
import { putWatermark } from '../support/put-rollup.ts';
import { putTool } from '../support/invoicing-fixture.ts';
import { callHourly, forgetSpending, putBudget } from '../support/spending-fixture.ts';
import { useDatabase } from '../support/use-database.ts';

/** No service runs here: its own due work would look, too. */
const billing = useDatabase();
const { log, heard } = hearingLog();
const nowMs = Date.parse('2026-11-21T12:34:56.789Z');
const hourNowMs = Date.parse('2026-11-21T12:00:00Z');
const tool = 'search';

interface TestAccount {
  readonly accountId: string;
}

beforeAll(async () => {
  const charge = { name: null, metric: { type: 'calls' }, free_quantity: '0' } as const;
  const model = { type: 'per_unit', unit_price_usd: '0.01' } as const;
  const price = { currency: 'usd', charges: [{ ...charge, model }], bill_failed_calls: false } as const;
  await putTool(billing.owner, { slug: tool, ownerId: randomUUID(), price: { ...price, charges: [...price.charges] } });
});

beforeEach(async () => {
  await forgetSpending(billing.owner);
  await billing.owner.query('truncate usage.rollup, usage.pass_rollup, gate.budget');
  await putWatermark(billing.owner, toIso(nowMs));
});

/** An account that made a call of a cent in each hour of so many days. */
async function newCaller(days: number): Promise<TestAccount> {
  const account = { accountId: randomUUID() };
  await call(account, { hours: days * 24, calls: 1 });
  return account;
}

const call = (
  { accountId }: TestAccount,
  calling: { hours: number; calls: number; untilMs?: number; passId?: string; tool?: string },
) => callHourly(billing.owner, { accountId, tool, untilMs: hourNowMs, ...calling });

/** One look of a process that has just started, so many hours from now. */
async function look(hours = 0, database: Database = billing.worker): Promise<number> {
  await putWatermark(billing.owner, toIso(nowMs + hours * hourMs));
  return createWatchSpending({ database, log, batchMax: 1 })(nowMs + hours * hourMs);
}

const withoutIds = (data: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(data).filter(([name]) => name !== 'id' && name !== 'version'));

/** Everything that was told, in order, each in the form that its type promises. */
async function told() {
  const rows = await billing.owner.query<{
    type: 'spending.anomaly';
    account_id: string;
    data: Record<string, unknown>;
  }>('select type, account_id, data from billing.outbox order by version');
  for (const { type, data } of rows) expect(webhookTypes[type].data.strict().parse(data)).toEqual(data);
  return rows.map(({ type, account_id: accountId, data }) => ({ type, accountId, data: withoutIds(data) }));
}

describe('F350 a budget that will not last', () => {
  it('is told once per account, month and budget, with the figures of the forecast, however often it is seen', async () => {
    const account = await newCaller(45);
    const { accountId } = account;
    await newCaller(45); // has no budget
    await putBudget(billing.owner, accountId, 6);
    expect(await Promise.all([look(), look()]).then(([one, other]) => one + other)).toBe(1);
    const figures = { estimated_usd: 7.2, estimated_low_usd: 7.2, estimated_high_usd: 7.2, budget_usd: 6 };
    const data = {
      account_id: accountId,
      period: '2026-11',
      through: '2026-11-21T12:00:00.000Z',
      spent_usd: 4.92,
      ...figures,
      budget_ends_on: '2026-11-25',
      history_days: 42,
    };
    expect(await told()).toEqual([{ type: 'spending.forecast_exceeds_budget', accountId, data }]);

    await call(account, { hours: 2, calls: 1, untilMs: hourNowMs + 2 * hourMs });
    expect(await look(2)).toBe(0);
    await putBudget(billing.owner, accountId, 5.5);
    expect(await look(2)).toBe(0); // nothing was called since
    await call(account, { hours: 1, calls: 1, untilMs: hourNowMs + 3 * hourMs });
    expect(await look(3)).toBe(1); // another budget
    await putBudget(billing.owner, accountId, 7.3);
    await call(account, { hours: 1, calls: 1, untilMs: hourNowMs + 4 * hourMs });
    expect(await look(4)).toBe(0); // it lasts
    expect(await told()).toHaveLength(2);
    expect(heard('could not look')).toEqual([]);
  });

  it('is not told where it is spent already, nor of a budget of each day', async () => {
    const [spent, daily] = [await newCaller(45), await newCaller(45)];
    await putBudget(billing.owner, spent.accountId, 4);
    await putBudget(billing.owner, daily.accountId, 6, 'day');
    expect(await look()).toBe(0);
  });
});

describe('F351 an account with little history', () => {
  it('is told nothing, whatever it spends', async () => {
    for (const days of [2, 13]) {
      const account = await newCaller(days);
      await putBudget(billing.owner, account.accountId, 6);
      await call(account, { hours: 1, calls: 500 });
    }
    expect(await look()).toBe(0);
    expect(await told()).toEqual([]);
  });
});

describe('F352 spending far above the usual', () => {
  const passId = randomUUID();

  it('is told once while it lasts: the pass and not its tool, a second pass, and neither an hour later', async () => {
    const account = await newCaller(45);
    const { accountId } = account;
    const others = [passId, randomUUID()];
    for (const each of others) await call(account, { hours: 45 * 24, calls: 1, passId: each });
    await call(account, { hours: 1, calls: 300, passId });
    expect(await look()).toBe(1);
    expect(await told()).toEqual([
      {
        type: 'spending.anomaly',
        accountId,
        data: {
          account_id: accountId,
          scope: 'pass',
          scope_id: passId,
          window: 'hour',
          from: '2026-11-21T11:00:00.000Z',
          to: '2026-11-21T12:00:00.000Z',
          spent_usd: 3.01,
          usual_usd: 0.01,
          raised_at: toIso(nowMs),
        },
      },
    ]);
    await call(account, { hours: 20, calls: 300, passId, untilMs: hourNowMs + 20 * hourMs });
    for (const hours of [1, 2, 20]) expect(await look(hours)).toBe(0);
    await call(account, { hours: 1, calls: 300, passId: others[1] ?? '', untilMs: hourNowMs + 21 * hourMs });
    expect(await look(21)).toBe(1);
    expect((await told()).map(({ data }) => data['scope_id'])).toEqual(others);
  });

  it('is neither a little money, nor what the same hour has each week, nor the end of a holiday', async () => {
    const [small, weekly, rested] = [await newCaller(45), await newCaller(45), await newCaller(45)];
    await call(small, { hours: 1, calls: 90 }); // 90 cents
    for (const weeks of [0, 1, 2, 3, 4, 5, 6])
      await call(weekly, { hours: 1, calls: 400, untilMs: hourNowMs - weeks * 7 * dayMs });
    await billing.owner.query(
      `update usage.rollup set calls = case when hour >= $2 and hour < $3 then 1 else 200 end where consumer_id = $1`,
      [rested.accountId, toIso(hourNowMs - 8 * dayMs), toIso(hourNowMs - hourMs)],
    );
    expect(await look()).toBe(0);
  });
});

describe('spending crashes', () => {
  const accounts = [{ accountId: randomUUID() }, { accountId: randomUUID() }];
  const passId = randomUUID();

  describeCrashes('F350 a look at what accounts spend', {
    worker: () => billing.worker,
    async startAnew() {
      await forgetSpending(billing.owner);
      await billing.owner.query('truncate usage.rollup, usage.pass_rollup');
      for (const account of accounts) {
        await call(account, { hours: 45 * 24, calls: 1 });
        await call(account, { hours: 45 * 24, calls: 1, passId });
        await call(account, { hours: 1, calls: 300, passId });
        await putBudget(billing.owner, account.accountId, 18);
      }
    },
    async run(database = billing.worker) {
      const heardBefore = heard('could not look').length;
      await look(0, database);
      if (heard('could not look').length > heardBefore) throw new Error('dead'); // the job goes on to the next account
    },
    async goOn() {
      await look();
      await look(1);
    },
    async books() {
      return [
        (await told()).toSorted((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1)),
        await billing.owner.query(
          'select account_id, scope, scope_id, last_at from billing.spending_episode order by 1, 2, 3',
        ),
      ];
    },
    statementsMin: 15,
    commitsMin: 2,
  });
});
