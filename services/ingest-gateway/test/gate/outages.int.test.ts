import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@tollgate/testkit/eventually';
import { describeWithRedis } from '@tollgate/testkit/redis';
import { type TestAuthorization, charging, perCall, putBudget } from '../support/gate/charging.ts';
import { ageInvoices, payInvoices, putInvoice, putPaymentMethod } from '../support/gate/put-money.ts';
import { type GatewayUnderTest, type TestAccount, startGateway } from '../support/gateway-under-test.ts';
import { useTwoGateways } from '../support/use-two-gateways.ts';
import { openBehindProxy } from '../support/open-behind-proxy.ts';

const patience = { withinMs: 10_000 };

const cleanUps: (() => Promise<void>)[] = [];

/** An account with a budget, one with a capped pass and one without, all in the memory of the gateway. */
async function started() {
  const { proxy, ...of } = await openBehindProxy(cleanUps);
  const gateway = await startGateway(of);
  cleanUps.push(gateway.stop);
  const toolId = await charging(gateway, perCall('0.1'));
  const [capped, free] = [await gateway.newAccount(), await gateway.newAccount()];
  await putBudget(gateway, capped.token, { amount_usd: 1, window: 'month' });
  const pass = await gateway.send<{ key: string }>('POST', '/v1/passes', {
    token: free.token,
    body: { name: 'agent', tools: '*', cap: { amount_usd: 1, window: 'day' } },
  });
  const ask = ({ token }: Pick<TestAccount, 'token'>) =>
    gateway.send<TestAuthorization>('POST', '/v1/authorizations', { token, body: { tool_id: toolId } });
  const record = ({ token }: Pick<TestAccount, 'token'>, event: object = {}) =>
    gateway.record({ tool_id: toolId, ...event }, { token });
  const byPass = { token: pass.body.key };
  for (const sender of [capped, free, byPass]) expect((await record(sender)).status).toBe(201);
  const { id } = (await ask(capped)).body;
  return { proxy, gateway, capped, free, byPass, ask, record, id };
}

describeWithRedis('two gateways with a Redis, UNSECURED_ALLOWANCE_USD and PAST_DUE_CALLS=refused', () => {
  const { running } = useTwoGateways({
    throughProxy: 'both',
    settings: { UNSECURED_ALLOWANCE_USD: '1', PAST_DUE_CALLS: 'refused' },
  });
  const money = () => {
    const { one, account } = running;
    return { owner: one.owner, accountId: account.accountId, nowMs: one.clock.now() };
  };
  const asking = (toolId: string) => (gateway: GatewayUnderTest) =>
    gateway.send<TestAuthorization>('POST', '/v1/authorizations', {
      token: running.account.token,
      body: { tool_id: toolId },
    });

  it('F234 share one allowance, and both know of a payment method', async () => {
    const { one, two } = running;
    const ask = asking(await charging(one, perCall('0.5')));
    expect([(await ask(one)).status, (await ask(two)).status]).toEqual([201, 201]);
    for (const each of [one, two])
      expect(await ask(each)).toMatchObject({ status: 402, body: { code: 'payment_required' } });
    await putPaymentMethod(money(), 'on file');
    expect([(await ask(one)).status, (await ask(two)).status]).toEqual([201, 201]);
  });

  it('F233 refuse an account that is past due, authorizations and events alike, until it has paid', async () => {
    const { one, two, account } = running;
    await putPaymentMethod(money(), 'on file');
    const toolId = await charging(one, perCall('0.5'));
    const ask = asking(toolId);
    await putInvoice(money(), 250_000n);
    await ageInvoices(money(), 'past_due');
    for (const each of [one, two]) {
      await eventually(async () => (await ask(each)).status === 402, patience);
      const recorded = await each.record({ tool_id: toolId }, { token: account.token });
      expect(recorded).toMatchObject({ status: 402, body: { code: 'payment_required' } });
    }
    await payInvoices(money(), 'card');
    for (const each of [one, two]) {
      expect((await ask(each)).status).toBe(201);
      expect((await each.record({ tool_id: toolId }, { token: account.token })).status).toBe(201);
    }
  });
});

describe('F108 while PostgreSQL is away and the log is not', () => {
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
  });

  it.each(['cut', 'stall'] as const)(
    'who has a cap gets 503 with Retry-After for each way to spend; all others go on (connections: %s)',
    async (weather) => {
      const { proxy, gateway, capped, free, byPass, ask, record, id } = await started();
      const before = (await gateway.appended()).length;
      proxy[weather]();
      const refused = Promise.all([
        ask(capped),
        record(capped),
        record(byPass),
        record(capped, { authorization_id: id }),
      ]);
      expect((await record(free)).status).toBe(201);
      for (const { status, body, headers } of await refused) {
        expect([status, body.code]).toEqual([503, 'unavailable']);
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      }
      proxy.heal();
      expect(await gateway.appended()).toHaveLength(before + 1);
      const isCaptured = async () => (await record(capped, { authorization_id: id })).status === 201;
      await eventually(isCaptured, { withinMs: 20_000, everyMs: 200 });
      expect((await record(capped)).status).toBe(201);
      expect(await gateway.appended()).toHaveLength(before + 3);
    },
  );
});
