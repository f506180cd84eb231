import { describe, expect } from '@jest/globals';
import { keyMeta, meterServer } from '@tollgate/mcp';
import { EdgeMeter } from '@tollgate/sdk/edge';
import { Meter, type Recorder, type TollgateError } from '@tollgate/sdk';
import { createCalls, type BeginCall, type CallMetadata } from '@tollgate/sdk/calls';
import { eventually } from '@tollgate/testkit/eventually';
import { itWith, openFolder } from '../it-with.ts';
import { openProduct } from '../open-product.ts';
import { streamingApis } from './http-apis.ts';
import { heldUsd, untilFree } from './held-money.ts';
import { openMarket, type Market } from './market.ts';
import { generations } from './mcp-generations.ts';

/** Tollgate takes ten keys. */
const refused: CallMetadata = Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`key${at}`, at]));

const unwritable: CallMetadata = { tokens: Number.NaN };

type Told = unknown[];
type OpenRecorder = (market: Market, told: Told) => Promise<Recorder & { close?(): Promise<unknown> }>;

describe('a call whose event Tollgate refuses', () => {
  const it = itWith(async (undo) => {
    const product = await openProduct({ name: 'refused-events' }, undo);
    const openWith = async (openRecorder: OpenRecorder) => {
      const market = await openMarket(product.baseUrl());
      await market.consumer.passes.update(market.passId, { cap: { amount_usd: 0.02, window: 'month' } });
      const told: Told = [];
      const meter = await openRecorder(market, told);
      undo(() => meter.close?.());
      const onError = (error: unknown) => void told.push(error);
      const calls = createCalls({ tollgate: market.builder, meter, gate: true, onError });
      return { market, calls, told };
    };
    const recorders: Readonly<Record<string, OpenRecorder>> = {
      'a meter on disk': ({ builder: tollgate }, told) =>
        Meter.open({
          tollgate,
          dir: openFolder('refused-events-spool', undo),
          onRejected: (event) => told.push(event),
        }),
      'a meter in memory': ({ builder: tollgate }, told) =>
        Meter.open({ tollgate, durability: 'memory', onRejected: (event) => told.push(event) }),
      'a meter of the edge': async ({ builder: tollgate }) => new EdgeMeter({ tollgate }),
      'a meter of the edge that its platform waits for': async ({ builder: tollgate }, told) =>
        new EdgeMeter({ tollgate, onError: (error) => told.push(error), waitUntil: () => undefined }),
    };
    return { openWith, recorders, undo };
  });

  /** Both cents of the cap can be held again, and one call of two is paid. */
  async function isFreeAgain(market: Market, calls: BeginCall): Promise<void> {
    await untilFree(market);
    const both = await Promise.all([1, 2].map(() => begin(calls, market.slug, market.pass)));
    await both[0]?.end({ success: true });
    await both[1]?.release();
    await market.untilCounted({ successes: 1, failures: 0 });
    await untilFree(market);
  }

  async function begin(calls: BeginCall, tool: string, key: string) {
    const call = await calls({ tool, key });
    if ('refusal' in call) throw new Error(call.refusal.detail);
    return call;
  }

  const names = [
    'a meter on disk',
    'a meter in memory',
    'a meter of the edge',
    'a meter of the edge that its platform waits for',
  ];
  for (const name of names) {
    it(`F323 holds nothing any more, and its builder is told, by ${name}`, async ({ openWith, recorders }) => {
      const open = recorders[name];
      if (open === undefined) throw new Error(name);
      const { market, calls, told } = await openWith(open);
      const call = await begin(calls, market.slug, market.pass);
      expect(await heldUsd(market)).toBe(0.01);
      await call.end({ success: true, metadata: refused });
      await eventually(() => told.length > 0, { withinMs: 10_000 });
      await isFreeAgain(market, calls);
      expect(told.map((error) => (error as TollgateError).code)).toEqual(['invalid_request']);
    });
  }

  it('F323 holds nothing any more where its caller pays by an API key, or its event cannot be written', async ({
    openWith,
    recorders,
  }) => {
    const { market, calls, told } = await openWith(recorders['a meter in memory'] ?? fail);
    const { key = '' } = await market.consumer.apiKeys.create({ name: 'caller' });
    await market.consumer.spending.setBudget({ amount_usd: 0.01, window: 'month' });
    for (const payer of [key, key, market.pass]) {
      await (
        await begin(calls, market.slug, payer)
      ).end({ success: true, metadata: payer === key ? refused : unwritable });
      await eventually(async () => (await market.consumer.spending.budget()).held_usd === 0, { withinMs: 10_000 });
    }
    expect([await heldUsd(market), told.length]).toEqual([0, 3]);
  });

  it('F323 holds nothing any more behind the middleware and in an MCP server', async ({
    openWith,
    recorders,
    undo,
  }) => {
    const { market, calls, told } = await openWith(recorders['a meter in memory'] ?? fail);
    const serve = streamingApis['Express'];
    const source = () => new Response('12 degrees').body as ReadableStream<Uint8Array>;
    const api = await serve?.({ calls, tool: market.slug, source, pick: () => refused });
    undo(() => api?.close());
    await (await fetch(`${api?.baseUrl}/weather`, { headers: { authorization: `Bearer ${market.pass}` } })).text();
    await eventually(() => told.length === 1, { withinMs: 10_000 });
    await untilFree(market);
    for (const generation of Object.values(generations)) {
      const before = told.length;
      const options = { tollgate: market.builder, calls, tool: market.slug, metadata: () => refused };
      const client = await generation({ report: (city) => city }, (server) => meterServer(server, options));
      undo(() => client.close());
      const answer = await client.call('weather', { city: 'Oslo' }, { [keyMeta]: market.pass });
      expect(answer).toMatchObject({ content: [{ text: 'Oslo' }] });
      await eventually(() => told.length === before + 1, { withinMs: 10_000 });
      await untilFree(market);
    }
    await isFreeAgain(market, calls);
  });
});

const fail: OpenRecorder = () => Promise.reject(new Error('there is no such meter'));
