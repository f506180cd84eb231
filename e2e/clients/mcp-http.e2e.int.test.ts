import { describe, expect } from '@jest/globals';
import {
  createMetering,
  errorMeta,
  idempotencyMeta,
  meterServer,
  priceMeta,
  type MeterableServer,
} from '@tollgate/mcp';
import { Meter } from '@tollgate/sdk';
import { createCalls } from '@tollgate/sdk/calls';
import { itWith } from '../it-with.ts';
import { openProduct } from '../open-product.ts';
import { openMarket } from './market.ts';
import type { Weather } from './mcp-generations.ts';
import { overHttp, type McpOverHttp } from './mcp-over-http.ts';

const answering: Weather = { report: (city) => `12 degrees in ${city}` };

describe('an MCP server over streamable HTTP', () => {
  const it = itWith(async (undo) => {
    const product = await openProduct({ name: 'mcp-http' }, undo);
    return async ({ serve, connect, isPerRequest }: McpOverHttp, weather = answering) => {
      const market = await openMarket(product.baseUrl());
      const meter = await Meter.open({ tollgate: market.builder, durability: 'memory' });
      const errors: unknown[] = [];
      const onError = (error: unknown) => void errors.push(error);
      const calls = createCalls({ tollgate: market.builder, meter, requirePass: true, onError });
      const options = { tollgate: market.builder, calls, tool: market.slug, onError };
      const meterOne = isPerRequest
        ? createMetering(options)
        : <T extends MeterableServer>(server: T) => meterServer(server, options);
      const server = await serve(weather, meterOne);
      undo(() => Promise.all([server.close(), meter.close()]));
      const connectWith = async (pass: string | undefined) => {
        const conversation = await connect(server.baseUrl, pass);
        undo(() => conversation.close());
        return conversation;
      };
      return { market, connectWith, errors, another: () => openMarket(product.baseUrl()) };
    };
  });

  for (const [kind, row] of Object.entries(overHttp)) {
    it(`is paid by the owner of the bearer token, each for its own calls: ${kind}`, async (open) => {
      const { market, connectWith, errors, another } = await open(row, {
        report(city) {
          if (city === 'Atlantis') throw new Error('no such city');
          return city;
        },
      });
      const other = await another();
      const { key } = await other.consumer.passes.create({ name: 'other agent', tools: [market.slug] });
      const [mine, theirs] = [await connectWith(market.pass), await connectWith(key)];
      expect(JSON.stringify((await mine.listTools())[0]?._meta?.[priceMeta])).toContain('"unit_price_usd":"0.01"');
      expect(await mine.call('weather', { city: 'Oslo' })).toMatchObject({ content: [{ text: 'Oslo' }] });
      expect(await theirs.call('weather', { city: 'Rome' })).toMatchObject({ content: [{ text: 'Rome' }] });
      expect(await mine.call('weather', { city: 'Atlantis' })).toMatchObject({ isError: true });
      await market.untilCounted({ successes: 1, failures: 1 });
      await other.untilCounted({ successes: 1, failures: 0 });
      expect(errors).toEqual([]);
    });

    it(`runs and charges a call once that its client sends again: ${kind}`, async (open) => {
      let runs = 0;
      const { market, connectWith } = await open(row, { report: (city) => `${city} ${(runs += 1)}` });
      const { call } = await connectWith(market.pass);
      const again = { [idempotencyMeta]: 'call-1' };
      const answers = [
        await call('weather', { city: 'Oslo' }, again),
        await call('weather', { city: 'Oslo' }, again),
        await call('weather', { city: 'Rome' }),
      ];
      expect(answers.map(({ content }) => content[0]?.text)).toEqual(['Oslo 1', 'Oslo 1', 'Rome 2']);
      await market.untilCounted({ successes: 2, failures: 0 });
    });
  }

  for (const [kind, row] of Object.entries(overHttp)) {
    it(`refuses who has no bearer token, or one that is revoked: ${kind}`, async (open) => {
      const ran: string[] = [];
      const { market, connectWith } = await open(row, { report: (city) => (ran.push(city), city) });
      const revoked = await market.consumer.passes.create({ name: 'revoked', tools: [market.slug] });
      await market.consumer.passes.delete(revoked.id);
      const refusals = [];
      for (const pass of [undefined, revoked.key])
        refusals.push(await (await connectWith(pass)).call('weather', { city: 'Oslo' }));
      expect(refusals).toMatchObject([
        { isError: true, _meta: { [errorMeta]: { code: 'payment_required' } } },
        { isError: true, _meta: { [errorMeta]: { code: 'pass_refused' } } },
      ]);
      expect(ran).toEqual([]);
    });
  }
});
