import { describe, expect } from '@jest/globals';
import { Meter } from '@tollgate/sdk';
import { createCalls, meterStream, type StreamEnd, type StreamOptions } from '@tollgate/sdk/calls';
import { eventually } from '@tollgate/testkit/eventually';
import { itWith } from '../it-with.ts';
import { openProduct } from '../open-product.ts';
import { untilFree } from './held-money.ts';
import { openTokenMarket } from './market.ts';

const itemCount = 3;
const mostTokens = 100;
const usdPerToken = 0.001;
const charges = ['delivered', 'none', 'all'] as const;

type Charge = (typeof charges)[number];
type Item = { readonly tokens: number };

/** Reads a stream to the item at which it is cut. `fail` breaks the source; `leave` fires the signal. */
type Cut = (stream: AsyncIterable<Item>, at: number, how: { fail(): void; leave(): void }) => Promise<void>;

async function readTo(stream: AsyncIterable<Item>, at: number, act: () => void): Promise<void> {
  let read = 0;
  if (at === 0) act();
  for await (const _item of stream) if ((read += 1) === at) act();
}

const cuts: Readonly<Record<string, { readonly cut: Cut; readonly by: StreamEnd['cutBy'] }>> = {
  'whose reader stops': {
    by: 'caller',
    async cut(stream, at) {
      const reader = stream[Symbol.asyncIterator]();
      for (let read = 0; read < at; read += 1) await reader.next();
      await reader.return?.();
      await reader.return?.(); // settles nothing more
    },
  },
  'whose signal fires': {
    by: 'caller',
    cut: (stream, at, { leave }) => expect(readTo(stream, at, leave)).rejects.toThrow('gone'),
  },
  'whose source throws': {
    by: 'builder',
    cut: (stream, at, { fail }) => expect(readTo(stream, at, fail)).rejects.toThrow('the model is gone'),
  },
};

/** Three items, each of which says the tokens until now. */
function openSource() {
  let isBroken = false;
  async function* items(): AsyncGenerator<Item> {
    for (let item = 1; item <= itemCount; item += 1) {
      if (isBroken) throw new Error('the model is gone');
      yield { tokens: item * 10 };
    }
    if (isBroken) throw new Error('the model is gone');
  }
  return { source: items(), fail: () => void (isBroken = true) };
}

describe('a metered stream', () => {
  const it = itWith(async (undo) => {
    const product = await openProduct({ name: 'metered-streams' }, undo);
    return async (hasGate: boolean) => {
      const market = await openTokenMarket(product.baseUrl(), usdPerToken);
      const { builder, consumer, slug } = market;
      const meter = await Meter.open({ tollgate: builder, durability: 'memory' });
      undo(() => meter.close());
      const errors: unknown[] = [];
      const gate = hasGate && { max: { metadata: { tokens: mostTokens } } };
      const onError = (error: unknown) => errors.push(error);
      const calls = createCalls({ tollgate: builder, meter, requirePass: true, gate, onError });

      async function open(row: string, charge: Charge) {
        const call = await calls({ tool: slug, key: market.pass });
        if ('refusal' in call) throw new Error(call.refusal.detail);
        const gone = new AbortController();
        const { source, fail } = openSource();
        const options: StreamOptions<Item> = {
          usage: ({ tokens }) => ({ tokens, row }),
          charge,
          most: hasGate ? undefined : { tokens: mostTokens, row }, // the gate knows the most
          signal: gone.signal,
        };
        const stream = meterStream(call, source, options);
        return { stream, fail, leave: () => gone.abort(new Error('gone')) };
      }

      /** Gives what was recorded, once all of it is counted: one event more is the last that is sent. */
      async function recorded() {
        await calls({ tool: slug, key: market.pass }).then((call) => {
          if ('refusal' in call) throw new Error(call.refusal.detail);
          return call.end({ success: true, metadata: { tokens: 0, row: 'last' } });
        });
        await meter.close();
        const rows = async () => {
          const events = await consumer.events.list({ tool_id: slug }).toArray();
          return events.map(({ metadata, success }) => `${metadata?.['row']}: ${metadata?.['tokens']} ${success}`);
        };
        await eventually(async () => (await rows()).includes('last: 0 true'), { withinMs: 10_000 });
        await untilFree(market);
        const { totals } = await consumer.usage.get({ tool_id: slug });
        return { rows: (await rows()).filter((row) => row !== 'last: 0 true').toSorted(), usd: totals.charge_usd };
      }

      return { open, recorded, errors };
    };
  });

  for (const hasGate of [true, false]) {
    const world = hasGate ? 'with the gate' : 'without the gate';

    it(`F326 that ends is recorded once with its last usage, by each policy, ${world}`, async (openWorld) => {
      const { open, recorded, errors } = await openWorld(hasGate);
      for (const charge of charges) {
        const { stream } = await open(charge, charge);
        await readTo(stream, Number.NaN, () => undefined);
        expect(await stream.ended).toEqual({ cutBy: undefined, items: itemCount });
      }
      const rows = charges.map((charge) => `${charge}: 30 true`).toSorted();
      const usd = charges.length * 30 * usdPerToken;
      expect([await recorded(), errors]).toEqual([{ rows, usd: expect.closeTo(usd, 6) }, []]);
    });

    for (const [name, { cut, by }] of Object.entries(cuts)) {
      it(`F326 ${name}, at each item, costs what each policy says and holds nothing, ${world}`, async (openWorld) => {
        const { open, recorded, errors } = await openWorld(hasGate);
        const tokens = new Map<string, number>();
        const nameOf = (row: string) => (hasGate && row === 'all 0' ? 'undefined' : row); // the gate's most has no name
        for (const charge of charges) {
          for (let at = 0; at <= itemCount; at += 1) {
            const row = `${charge} ${at}`;
            const { stream, ...how } = await open(row, charge);
            await cut(stream, at, how);
            expect(await stream.ended).toEqual({ cutBy: by, items: at });
            tokens.set(nameOf(row), { delivered: at * 10, none: 0, all: mostTokens }[charge]);
          }
        }
        const paid = [...tokens].filter(([, count]) => count > 0);
        const rows = paid.map(([row, count]) => `${row}: ${count} true`).toSorted();
        const usd = paid.reduce((sum, [, count]) => sum + count * usdPerToken, 0);
        expect([await recorded(), errors]).toEqual([{ rows, usd: expect.closeTo(usd, 6) }, []]);
      });
    }
  }
});
