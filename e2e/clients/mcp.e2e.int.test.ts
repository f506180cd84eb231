import { describe, expect } from '@jest/globals';
import { errorMeta, idempotencyMeta, keyMeta, meterServer, priceMeta } from '@tollgate/mcp';
import { Meter } from '@tollgate/sdk';
import { createCalls } from '@tollgate/sdk/calls';
import { eventually } from '@tollgate/testkit/eventually';
import { itWith } from '../it-with.ts';
import { openProduct } from '../open-product.ts';
import { openMarket } from './market.ts';
import { generations, type Weather } from './mcp-generations.ts';

for (const generation of ['first', 'second'] as const) {
  describe(`an MCP server of the ${generation} generation`, () => {
    const it = itWith(async (undo) => {
      const product = await openProduct({ name: `mcp-${generation}` }, undo);
      return async (weather: Weather = { report: (city) => `12 degrees in ${city}` }, gate = false) => {
        const market = await openMarket(product.baseUrl());
        const meter = await Meter.open({ tollgate: market.builder, durability: 'memory' });
        const errors: unknown[] = [];
        const onError = (error: unknown) => void errors.push(error);
        const calls = createCalls({ tollgate: market.builder, meter, requirePass: true, gate, onError });
        const conversation = await generations[generation](weather, (server) =>
          meterServer(server, { tollgate: market.builder, calls, tool: market.slug, onError }),
        );
        undo(() => Promise.all([conversation.close(), meter.close()]));
        const call = (args: Record<string, unknown>, meta: object = {}) =>
          conversation.call('weather', args, { [keyMeta]: market.pass, ...meta });
        return { ...conversation, call, callPlain: conversation.call, market, errors };
      };
    });

    it('lets the owner of the pass pay for calls, those that failed too, and for nothing else', async (open) => {
      const { call, callPlain, listTools, ping, market, errors } = await open({
        report(city) {
          if (city === 'Atlantis') throw new Error('no such city');
          return city;
        },
      });
      expect(await call({ city: 'Oslo' })).toMatchObject({ content: [{ text: 'Oslo' }] });
      expect(await call({ city: 'Atlantis' })).toMatchObject({ isError: true });
      await call({}); // does not fit the schema of the tool
      await callPlain('no-such-tool', {}, { [keyMeta]: market.pass }).catch(() => undefined);
      await listTools();
      await ping();
      expect(await call({ city: 'Rome' })).toMatchObject({ content: [{ text: 'Rome' }] });
      // Events of one consumer are counted in the order in which they came, so Rome's is the last.
      await market.untilCounted({ successes: 2, failures: 1 });
      expect(errors).toEqual([]);
    });

    it('shows what a call costs, and never the pass to the tool', async (open) => {
      const seen: string[] = [];
      const { call, listTools, market } = await open({
        report(city, extra) {
          seen.push(JSON.stringify(extra));
          return city;
        },
      });
      const [tool] = await listTools();
      expect(JSON.stringify(tool?._meta?.[priceMeta])).toContain('"unit_price_usd":"0.01"');
      await call({ city: 'Oslo' });
      expect(seen.join()).not.toContain(market.pass);
    });

    it('refuses who has no pass, or one that is paused or for other tools, and says what to do', async (open) => {
      const ran: string[] = [];
      const { call, callPlain, market } = await open({ report: (city) => (ran.push(city), city) });
      const other = await market.consumer.passes.create({ name: 'other', tools: [market.slug] });
      await market.consumer.passes.update(other.id, { paused: true });
      const refusals = [
        await callPlain('weather', { city: 'Oslo' }),
        await call({ city: 'Oslo' }, { [keyMeta]: other.key }),
        await call({ city: 'Oslo' }, { [keyMeta]: 'tg_pass_nobody' }),
      ];
      expect(refusals.map(({ _meta }) => _meta?.[errorMeta])).toMatchObject([
        { code: 'payment_required' },
        { code: 'pass_refused' },
        { code: 'pass_refused' },
      ]);
      expect(refusals.every(({ isError, content }) => isError === true && content[0]?.text.endsWith('.'))).toBe(true);
      expect(ran).toEqual([]);
    });

    it('runs and charges a call once that its client sends again', async (open) => {
      let runs = 0;
      const { call, market } = await open({ report: (city) => `${city} ${(runs += 1)}` });
      const again = { [idempotencyMeta]: 'call-1' };
      const answers = [await call({ city: 'Oslo' }, again), await call({ city: 'Oslo' }, again)];
      expect(answers.map(({ content }) => content[0]?.text)).toEqual(['Oslo 1', 'Oslo 1']);
      expect((await call({ city: 'Rome' }, again))._meta?.[errorMeta]).toMatchObject({
        code: 'idempotency_key_reused',
      });
      await market.untilCounted({ successes: 1, failures: 0 });
    });

    it('with the gate, stops at the cap of the pass before the tool runs, goes on once it is raised, and is paid for what ran', async (open) => {
      let runs = 0;
      const { call, market, errors } = await open({ report: (city) => `${city} ${(runs += 1)}` }, true);
      await market.consumer.passes.update(market.passId, { cap: { amount_usd: 0.02, window: 'month' } });
      const answers = [await call({ city: 'Oslo' }), await call({ city: 'Rome' }), await call({ city: 'Bonn' })];
      expect(answers.map(({ isError }) => isError === true)).toEqual([false, false, true]);
      expect(answers[2]).toMatchObject({ _meta: { [errorMeta]: { code: 'spending_cap_reached' } } });
      expect(answers[2]?.content[0]?.text).toMatch(/resets at \d{4}-\d\d-01T00:00:00.000Z/);
      expect(runs).toBe(2);
      await market.consumer.passes.update(market.passId, { cap: { amount_usd: 0.03, window: 'month' } });
      const after = [await call({ city: 'Bonn' }), await call({ city: 'Kyiv' })];
      expect(after.map(({ isError }) => isError === true)).toEqual([false, true]);
      expect(after[0]?.content[0]?.text).toBe('Bonn 3');
      await market.untilCounted({ successes: 3, failures: 0 });
      const pass = async () => market.consumer.passes.get(market.passId);
      await eventually(async () => (await pass()).spent_usd === 0.03, { withinMs: 10_000 });
      expect(errors).toEqual([]);
    });
  });
}
