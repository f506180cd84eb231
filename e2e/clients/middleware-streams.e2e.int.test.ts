import { describe, expect } from '@jest/globals';
import { systemClock } from '@tollgate/kernel/clock';
import { Meter } from '@tollgate/sdk';
import { createCalls } from '@tollgate/sdk/calls';
import { eventually } from '@tollgate/testkit/eventually';
import { itWith } from '../it-with.ts';
import { openProduct } from '../open-product.ts';
import { streamingApis } from './http-apis.ts';
import { openMarket } from './market.ts';

const heldMs = 1_000;

/** A stream that has begun, and goes on when it is told to. */
function createHeldStream() {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const write = (text: string) => controller?.enqueue(new TextEncoder().encode(text));
  return {
    source: () =>
      new ReadableStream<Uint8Array>({
        start(started) {
          controller = started;
          write('12');
        },
      }),
    finish() {
      write(' degrees');
      controller?.close();
    },
    fail: () => controller?.error(new Error('the weather station is gone')),
  };
}

describe('a streamed answer', () => {
  const it = itWith(async (undo) => {
    const product = await openProduct({ name: 'middleware-streams' }, undo);
    return async (serve: (typeof streamingApis)[string]) => {
      const market = await openMarket(product.baseUrl());
      const meter = await Meter.open({ tollgate: market.builder, durability: 'memory' });
      const calls = createCalls({ tollgate: market.builder, meter, requirePass: true });
      const stream = createHeldStream();
      const api = await serve({ calls, tool: market.slug, source: stream.source });
      undo(() => Promise.all([api.close(), meter.close()]));
      const giveUp = new AbortController();
      const headers = { authorization: `Bearer ${market.pass}` };
      const answer = await fetch(`${api.baseUrl}/weather`, { headers, signal: giveUp.signal });
      const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
      const begun = await reader?.read();
      if (begun?.value !== '12') throw new Error(`the answer is ${answer.status} ${begun?.value}`);
      const beganMs = systemClock.now();
      return {
        ...stream,
        market,
        giveUp: () => giveUp.abort(),
        read: async () => reader?.read(),
        /** Until it has lasted longer than a call that ends with its headers could. */
        hold: () => eventually(() => systemClock.now() - beganMs >= heldMs, { withinMs: heldMs }),
        async durations() {
          const events = await market.consumer.events.list().toArray();
          return events.map(({ duration_ms: ms }) => ms);
        },
      };
    };
  });

  for (const [name, serve] of Object.entries(streamingApis)) {
    it(`is timed to its end, on ${name}`, async (open) => {
      const { market, hold, finish, read, durations } = await open(serve);
      await hold();
      finish();
      expect(await read()).toEqual({ done: false, value: ' degrees' });
      expect(await read()).toMatchObject({ done: true });
      await market.untilCounted({ successes: 1, failures: 0 });
      const [ms, ...others] = await durations();
      expect(others).toEqual([]);
      expect(ms).toBeGreaterThanOrEqual(heldMs);
    });

    it(`is a failed call when its reader gives up, as long as it lasted, on ${name}`, async (open) => {
      const { market, hold, giveUp, durations } = await open(serve);
      await hold();
      giveUp();
      await market.untilCounted({ successes: 0, failures: 1 });
      const [ms, ...others] = await durations();
      expect(others).toEqual([]);
      expect(ms).toBeGreaterThanOrEqual(heldMs);
    });

    it(`is a failed call when its source breaks, on ${name}`, async (open) => {
      const { market, fail, read } = await open(serve);
      fail();
      await expect(read()).rejects.toThrow('terminated');
      await market.untilCounted({ successes: 0, failures: 1 });
    });
  }
});
