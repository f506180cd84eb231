import { describe, expect } from '@jest/globals';
import { eventually } from '@tollgate/testkit/eventually';
import { itWith } from '../it-with.ts';
import { heldUsd, untilFree } from './held-money.ts';
import type { Market } from './market.ts';
import { openProxies, rawServerCommand, serverCommand, type RawProxy } from './open-proxies.ts';

const clientInfo = { name: 'raw', version: '1' };
const initialize = { method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } };

describe('mcp-proxy, for a client that uses ids as it likes', () => {
  const it = itWith(async (undo) => {
    const proxies = await openProxies('mcp-proxy-one-run', undo);
    /** The proxy with the gate before the server. The pass has a cap, so that what is held shows. */
    return async (server: readonly string[]) => {
      const { market, startRaw } = await proxies.open();
      await market.consumer.passes.update(market.passId, { cap: { amount_usd: 5, window: 'month' } });
      const proxy = startRaw(['--gate', '--tool', market.slug, '--', ...server]);
      proxy.send({ id: 'initialize', ...initialize });
      await proxy.answers(1);
      proxy.send({ method: 'notifications/initialized' });
      return { market, proxy };
    };
  });

  async function untilPaid(market: Market, usd: number): Promise<void> {
    const spent = async () => (await market.consumer.passes.get(market.passId)).spent_usd;
    await eventually(async () => (await spent()) === usd, { withinMs: 10_000 });
    await untilFree(market);
  }

  const untilHeld = (market: Market) => eventually(async () => (await heldUsd(market)) === 0.01, { withinMs: 10_000 });
  const cancel = (proxy: RawProxy, requestId: unknown) =>
    proxy.send({ method: 'notifications/cancelled', params: { requestId } });

  it('F257 records each of the calls whose ids collide', async (open) => {
    const { market, proxy } = await open(rawServerCommand);
    for (const id of [1, 1, '1']) proxy.call(id, 'together');
    expect((await proxy.answers(4)).slice(1).map(({ id }) => String(id))).toEqual(['1', '1', '1']);
    proxy.call(1, 'Oslo'); // at once after the answer
    proxy.send({ id: 1, method: 'tools/list' });
    proxy.send({ id: 1, method: 'ping' });
    proxy.call(1, 'Rome');
    const answers = (await proxy.answers(7)).slice(4);
    expect(answers.map(({ id }) => id)).toEqual([1, 1, 1]);
    expect(JSON.stringify(answers)).toContain('"unit_price_usd":"0.01"');
    await market.untilCounted({ successes: 5, failures: 0 });
    await untilPaid(market, 0.05);
  });

  for (const generation of ['first', 'second'])
    it(`F257 records each of the calls whose ids collide, of a server of the ${generation} generation`, async (open) => {
      const { market, proxy } = await open([...serverCommand, generation]);
      for (const city of ['Oslo', 'Rome', 'Bonn']) proxy.call(1, city);
      const texts = (await proxy.answers(4)).slice(1).map(({ result }) => result?.content[0]?.text);
      expect(new Set(texts)).toEqual(new Set(['Bonn', 'Oslo', 'Rome']));
      await market.untilCounted({ successes: 3, failures: 0 });
    });

  it('F257 records a call that its client gave up and the server answers all the same', async (open) => {
    const { market, proxy } = await open(rawServerCommand);
    proxy.call(7, 'in spite');
    await untilHeld(market);
    cancel(proxy, 7);
    expect((await proxy.answers(2))[1]).toMatchObject({ id: 7, result: { content: [{ text: 'in spite' }] } });
    await market.untilCounted({ successes: 1, failures: 0 });
    await untilPaid(market, 0.01);
  });

  it('F257 charges nothing for a call that the server gave up with its client', async (open) => {
    const { market, proxy } = await open(rawServerCommand);
    proxy.call(7, 'obedient');
    await untilHeld(market);
    cancel(proxy, 7);
    expect((await proxy.answers(2))[1]).toMatchObject({ id: 7, error: { message: 'Request cancelled' } });
    await untilFree(market);
    proxy.call(8, 'Oslo');
    await market.untilCounted({ successes: 1, failures: 0 }); // Oslo's alone
  });

  it('F257 records a call that runs to its end after its client has hung up', async (open) => {
    const { market, proxy } = await open(rawServerCommand);
    proxy.call(1, 'late');
    await untilHeld(market);
    proxy.hangUp();
    expect(await proxy.exited).toBe(0);
    await market.untilCounted({ successes: 1, failures: 0 });
    await untilPaid(market, 0.01);
  });

  it('F257 records a call as failed whose answer the server never gave, and holds nothing for it', async (open) => {
    const { market, proxy } = await open(rawServerCommand);
    proxy.call(1, 'in spite');
    await untilHeld(market);
    proxy.hangUp();
    expect(await proxy.exited).toBe(0);
    await market.untilCounted({ successes: 0, failures: 1 });
    await untilFree(market);
  });
});
