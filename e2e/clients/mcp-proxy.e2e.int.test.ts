import { readdirSync } from 'node:fs';
import { describe, expect } from '@jest/globals';
import { errorMeta, keyMeta, priceMeta } from '@tollgate/mcp';
import { eventually } from '@tollgate/testkit/eventually';
import { itWith } from '../it-with.ts';
import { openProxies, serverCommand, type Answer } from './open-proxies.ts';

describe('tollgate mcp-proxy', () => {
  const it = itWith((undo) => openProxies('mcp-proxy', undo));

  for (const client of ['first', 'second'] as const)
    for (const server of ['first', 'second'] as const)
      it(`meters a server of the ${server} generation for a client of the ${client}`, async ({ open }) => {
        const { market, start } = await open();
        const proxy = await start(client, ['--tool', market.slug, '--', ...serverCommand, server]);
        const { tools } = await proxy.listTools();
        expect(JSON.stringify(tools[0]?._meta?.[priceMeta])).toContain('"unit_price_usd":"0.01"');
        expect((await proxy.call('Oslo')).content[0]?.text).toBe('Oslo'); // and no secret of the proxy
        await market.untilCounted({ successes: 1, failures: 0 });
      });

  it('meters a server at an address, with a header from a variable', async ({ open, startHttpServer }) => {
    const { market, start } = await open();
    const args = ['--tool', `weather=${market.slug}`, '--header', 'Authorization=TOKEN', await startHttpServer()];
    const proxy = await start('second', args, { TOKEN: 'Bearer of-the-server' });
    expect((await proxy.call('Oslo')).content[0]?.text).toBe('Oslo Bearer of-the-server 2025');
    await market.untilCounted({ successes: 1, failures: 0 });
  });

  it('refuses in the middle, once the pass is paused, and the server does not run', async ({ open }) => {
    const { market, start } = await open();
    const proxy = await start('second', ['--require-pass', '--tool', market.slug, '--', ...serverCommand, 'second']);
    await proxy.call('Oslo');
    await market.untilCounted({ successes: 1, failures: 0 });
    const paused = await market.consumer.passes.create({ name: 'paused', tools: '*' });
    await market.consumer.passes.update(paused.id, { paused: true });
    const refused = await proxy.call('Rome', { [keyMeta]: paused.key });
    expect(refused).toMatchObject({ isError: true, _meta: { [errorMeta]: { code: 'pass_refused' } } });
    await proxy.call('Paris');
    await market.untilCounted({ successes: 2, failures: 0 });
  });

  for (const generation of ['first', 'second'] as const)
    it(`with the gate, stops a client of the ${generation} generation at the cap, and goes on once it is raised`, async ({
      open,
    }) => {
      const { market, start } = await open();
      const capAt = (amount: number) =>
        market.consumer.passes.update(market.passId, { cap: { amount_usd: amount, window: 'month' } });
      await capAt(0.03);
      const proxy = await start(generation, ['--gate', '--tool', market.slug, '--', ...serverCommand, generation]);
      const untilRefused = async (): Promise<{ readonly answered: number; readonly refused: Answer }> => {
        for (let answered = 0; answered < 20; answered += 1) {
          const answer = await proxy.call('Oslo');
          if (answer.isError === true) return { answered, refused: answer };
        }
        throw new Error('no cap has stopped the client');
      };
      const { answered, refused } = await untilRefused();
      expect(answered).toBe(3);
      expect(refused).toMatchObject({ _meta: { [errorMeta]: { code: 'spending_cap_reached' } } });
      expect(refused.content[0]?.text).toMatch(/resets at \d{4}-\d\d-01T00:00:00.000Z/);
      await capAt(0.06);
      expect((await proxy.call('how often')).content[0]?.text).toBe('run 4'); // the refused call did not run it
      expect((await untilRefused()).answered).toBe(2);
      await market.untilCounted({ successes: 6, failures: 0 });
      const spent = async () => (await market.consumer.passes.get(market.passId)).spent_usd;
      await eventually(async () => (await spent()) === 0.06, { withinMs: 10_000 });
    });

  it('ends when its client hangs up, and leaves nothing in the spool', async ({ open }) => {
    const { market, start, spool } = await open();
    const proxy = await start('first', ['--tool', market.slug, '--', ...serverCommand, 'first'], { TOLLGATE_KEY: '' });
    await proxy.call('Oslo'); // the account of the key pays: its event goes through the spool
    await proxy.close();
    const isCounted = async () => (await market.builder.usage.get()).totals.successes === 1;
    await eventually(isCounted, { withinMs: 10_000 });
    expect(readdirSync(spool)).toEqual(['account.json']);
  });
});
