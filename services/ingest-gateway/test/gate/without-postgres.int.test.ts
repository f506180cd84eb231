import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@tollgate/testkit/eventually';
import { charging, perCall, putBudget, type TestAuthorization } from '../support/gate/charging.ts';
import { startGateway, type TestAccount } from '../support/gateway-under-test.ts';
import { openBehindProxy } from '../support/open-behind-proxy.ts';

const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

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

describe('F108 while PostgreSQL is away and the log is not', () => {
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
