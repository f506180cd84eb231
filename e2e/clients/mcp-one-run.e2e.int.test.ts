import { describe, expect } from '@jest/globals';
import { createMetering, keyMeta } from '@tollgate/mcp';
import { Meter } from '@tollgate/sdk';
import { createCalls } from '@tollgate/sdk/calls';
import { eventually } from '@tollgate/testkit/eventually';
import { itWith } from '../it-with.ts';
import { openProduct } from '../open-product.ts';
import { untilFree } from './held-money.ts';
import { openMarket } from './market.ts';
import { generations, type Conversation, type Weather } from './mcp-generations.ts';
import { overHttp, type MeterOne } from './mcp-over-http.ts';
import { rawConnections, speakOverHttp } from './mcp-raw.ts';

type Undo = (step: () => unknown) => void;
interface Kind {
  connect(weather: Weather, meter: MeterOne, undo: Undo): Promise<(pass: string) => Promise<Conversation>>;
  /** In sessions a cancellation reaches the server that runs the call, and since 2026's revision a closed stream is one. */
  readonly hearsCancel: boolean;
}

/** Servers that are made per request come first: they have no memory that could help. */
const kinds: Readonly<Record<string, Kind>> = {
  ...Object.fromEntries(
    Object.entries(overHttp)
      .toSorted(([, a], [, b]) => Number(b.isPerRequest) - Number(a.isPerRequest))
      .map(([kind, row]): [string, Kind] => [
        kind,
        {
          async connect(weather, meter, undo) {
            const server = await row.serve(weather, meter);
            undo(() => server.close());
            return (pass) => row.connect(server.baseUrl, pass);
          },
          hearsCancel: !row.isPerRequest || row.revision !== undefined,
        },
      ]),
  ),
  'first generation, in one process': {
    connect: async (weather, meter) => () => generations.first(weather, meter),
    hearsCancel: true,
  },
  'second generation, in one process': {
    connect: async (weather, meter) => () => generations.second(weather, meter),
    hearsCancel: true,
  },
};

/** The signal by which a tool sees that its client gave up, in either generation. */
function signalOf(extra: unknown): AbortSignal {
  const { signal, mcpReq } = extra as { signal?: AbortSignal; mcpReq?: { signal: AbortSignal } };
  const found = signal ?? mcpReq?.signal;
  if (found === undefined) throw new Error('the tool has no signal');
  return found;
}

describe('one run of a tool is one record', () => {
  const it = itWith(async (undo) => {
    const product = await openProduct({ name: 'mcp-one-run' }, undo);
    /** A market whose pass has a cap, so that what is held shows, and a gate before the tools. */
    return async () => {
      const market = await openMarket(product.baseUrl());
      await market.consumer.passes.update(market.passId, { cap: { amount_usd: 5, window: 'month' } });
      const meter = await Meter.open({ tollgate: market.builder, durability: 'memory' });
      undo(() => meter.close());
      const errors: unknown[] = [];
      const onError = (error: unknown) => void errors.push(error);
      const calls = createCalls({ tollgate: market.builder, meter, gate: true, onError });
      const meterOne = createMetering({ tollgate: market.builder, calls, tool: market.slug, onError });
      return { market, meterOne, errors, undo };
    };
  });

  for (const [kind, { connect, hearsCancel }] of Object.entries(kinds)) {
    it(`F257 a call that its client gave up and left is recorded once, since its tool went on to its end: ${kind}`, async (open) => {
      const { market, meterOne, errors, undo } = await open();
      const begun = Promise.withResolvers<AbortSignal>();
      const mayEnd = Promise.withResolvers<undefined>();
      const report = async (city: string, extra: unknown) => {
        begun.resolve(signalOf(extra));
        await mayEnd.promise;
        return city;
      };
      const client = await (await connect({ report }, meterOne, undo))(market.pass);
      const givenUp = new AbortController();
      const call = client.call('weather', { city: 'Oslo' }, { [keyMeta]: market.pass }, givenUp.signal);
      call.catch(() => undefined);
      const signal = await begun.promise;
      if (hearsCancel) givenUp.abort();
      else await client.close();
      await expect(call).rejects.toThrow(/abort|closed/i);
      await eventually(() => signal.aborted, { withinMs: 10_000 });
      await client.close();
      mayEnd.resolve(undefined);
      await market.untilCounted({ successes: 1, failures: 0 });
      await untilFree(market);
      expect((await market.consumer.passes.get(market.passId)).spent_usd).toBe(0.01);
      expect(errors).toEqual([]);
    });

    it(`F257 a call whose tool obeyed its client is free: ${kind}`, async (open) => {
      const { market, meterOne, errors, undo } = await open();
      const begun = Promise.withResolvers<undefined>();
      const report = async (city: string, extra: unknown): Promise<string> => {
        if (city !== 'Nowhere') return city;
        begun.resolve(undefined);
        return new Promise((_, reject) => {
          signalOf(extra).addEventListener('abort', () => reject(new Error('given up')));
        });
      };
      const connectWith = await connect({ report }, meterOne, undo);
      const client = await connectWith(market.pass);
      const givenUp = new AbortController();
      const call = client.call('weather', { city: 'Nowhere' }, { [keyMeta]: market.pass }, givenUp.signal);
      await begun.promise;
      call.catch(() => undefined);
      if (hearsCancel) givenUp.abort();
      else await client.close();
      await expect(call).rejects.toThrow(/abort|closed/i);
      await untilFree(market);
      await client.close();
      const other = await connectWith(market.pass);
      await other.call('weather', { city: 'Oslo' }, { [keyMeta]: market.pass });
      await market.untilCounted({ successes: 1, failures: 0 }); // Oslo's alone
      await other.close();
      expect(errors).toEqual([]);
    });
  }

  for (const [generation, openRaw] of Object.entries(rawConnections))
    it(`F257 calls whose ids collide are each recorded: ${generation} generation`, async (open) => {
      const { market, meterOne, errors } = await open();
      let begun = 0;
      const mayEnd = Promise.withResolvers<undefined>();
      const report = async (city: string) => {
        begun += 1;
        if (city !== 'Rome') await mayEnd.promise;
        return city;
      };
      const connection = await openRaw({ report }, meterOne);
      const call = (id: unknown, city: string) => connection.send(id, { city }, { [keyMeta]: market.pass });
      for (const [id, city] of [[1, 'Oslo'], [1, 'Oslo'], ['1', 'Oslo']] as const) call(id, city); // prettier-ignore
      await eventually(() => begun === 3, { withinMs: 10_000 });
      mayEnd.resolve(undefined);
      await eventually(() => connection.answered().length === 3, { withinMs: 10_000 });
      call(1, 'Rome'); // at once after the answer
      await eventually(() => connection.answered().length === 4, { withinMs: 10_000 });
      expect(connection.answered().map(String)).toEqual(['1', '1', '1', '1']);
      await market.untilCounted({ successes: 4, failures: 0 });
      await connection.close();
      expect(errors).toEqual([]);
    });

  for (const kind of ['first generation, one server per session', 'second generation, one server per session'])
    it(`F257 clients that share a session and count their ids alike each pay for their own call: ${kind}`, async (open) => {
      const { market, meterOne, errors, undo } = await open();
      let begun = 0;
      const mayEnd = Promise.withResolvers<undefined>();
      const report = async (city: string) => {
        begun += 1;
        await mayEnd.promise;
        return city;
      };
      const server = await overHttp[kind]?.serve({ report }, meterOne);
      if (server === undefined) throw new Error(`there is no ${kind}`);
      undo(() => server.close());
      const other = await market.consumer.passes.create({
        name: 'other',
        tools: '*',
        cap: { amount_usd: 5, window: 'month' },
      });
      const session = await speakOverHttp(server.baseUrl, market.pass);
      session.call(1, 'Oslo', market.pass);
      session.call(1, 'Rome', other.key);
      await eventually(() => begun === 2, { withinMs: 10_000 });
      mayEnd.resolve(undefined);
      await market.untilCounted({ successes: 2, failures: 0 });
      session.hangUp();
      const spent = async (id: string) => (await market.consumer.passes.get(id)).spent_usd;
      await eventually(async () => (await spent(other.id)) === 0.01, { withinMs: 10_000 });
      await eventually(async () => (await spent(market.passId)) === 0.01, { withinMs: 10_000 });
      expect(errors).toEqual([]);
    });
});
