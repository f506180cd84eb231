import { describe, expect } from '@jest/globals';
import { meterServer } from '@tollgate/mcp';
import { Meter, Tollgate } from '@tollgate/sdk';
import { createCalls, type BeginCall, type CallMetadata } from '@tollgate/sdk/calls';
import { itWith } from '../it-with.ts';
import { openProduct } from '../open-product.ts';
import { streamingApis } from './http-apis.ts';
import { openMarket, type Market } from './market.ts';
import { generations } from './mcp-generations.ts';

const asked = 'Nizhny-Novgorod';
const answered = 'minus-forty-degrees';

interface Asking {
  readonly market: Market;
  readonly calls: BeginCall;
  /** Picks metadata from a city. */
  readonly pick: ((city: string) => CallMetadata) | undefined;
}

/** Each asks about one city, and closes what it opened. */
const ways: Record<string, (asking: Asking) => Promise<unknown>> = {};

for (const generation of ['first', 'second'] as const)
  ways[`a tool of an MCP server of the ${generation} generation`] = async ({ market, calls, pick }) => {
    const metadata = pick && {
      metadata: (call: { arguments: object }) => pick(String(Object.values(call.arguments)[0])),
    };
    const options = { tollgate: market.builder, calls, tool: market.slug, ownKey: market.pass, ...metadata };
    const conversation = await generations[generation]({ report: () => answered }, (server) =>
      meterServer(server, options),
    );
    const { content } = await conversation.call('weather', { city: asked });
    await conversation.close();
    return content[0]?.text;
  };

for (const [name, serve] of Object.entries(streamingApis))
  ways[`an API on ${name}`] = async ({ market, calls, pick }) => {
    const ofUrl = pick && ((url: string) => pick(String(url.split('=')[1])));
    const source = () => new Blob([answered]).stream() as ReadableStream<Uint8Array>;
    const api = await serve({ calls, tool: market.slug, source, pick: ofUrl });
    const headers = { authorization: `Bearer ${market.pass}` };
    const text = await (await fetch(`${api.baseUrl}/weather?city=${asked}`, { headers })).text();
    await api.close();
    return text;
  };

describe('what leaves a metered server', () => {
  const it = itWith(async (undo) => {
    const product = await openProduct({ name: 'no-arguments' }, undo);
    return async (way: (asking: Asking) => Promise<unknown>, pick?: (city: string) => CallMetadata) => {
      const market = await openMarket(product.baseUrl());
      const sent: string[] = [];
      const watched: typeof fetch = async (input, init) => {
        const request = new Request(input, init);
        sent.push(`${request.url} ${await request.clone().text()}`);
        return fetch(request);
      };
      const { key: apiKey = '' } = await market.builder.apiKeys.create({ name: 'server' });
      const tollgate = new Tollgate({ url: product.baseUrl(), apiKey, fetch: watched });
      const meter = await Meter.open({ tollgate, durability: 'memory' });
      const calls = createCalls({ tollgate, meter, requirePass: true });
      const answer = await way({ market, calls, pick });
      await market.untilCounted({ successes: 1, failures: 0 });
      await meter.close();
      const events = await market.consumer.events.list().toArray();
      const seenByBuilder = await market.builder.events.list({ role: 'builder' }).toArray();
      return { answer, events, all: JSON.stringify({ events, seenByBuilder, sent }) };
    };
  });

  for (const [name, way] of Object.entries(ways)) {
    it(`is neither argument nor answer of ${name}`, async (open) => {
      const { answer, events, all } = await open(way);
      expect(answer).toBe(answered);
      expect(events).toMatchObject([{ success: true, metadata: {} }]);
      expect(all).toContain('tool_id');
      expect(all).not.toMatch(new RegExp(`${asked}|${answered}`));
    });

    it(`is what \`metadata\` picks, and no more, of ${name}`, async (open) => {
      const { events, all } = await open(way, (city) => ({ letters: city.length, first: city.slice(0, 3) }));
      expect(events).toMatchObject([{ success: true }]);
      expect(events[0]?.metadata).toEqual({ letters: asked.length, first: 'Niz' });
      expect(all).not.toMatch(new RegExp(`${asked}|${answered}`));
    });
  }
});
