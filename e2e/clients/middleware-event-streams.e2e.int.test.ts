import { request as ask, type IncomingMessage } from 'node:http';
import { describe, expect } from '@jest/globals';
import { Meter } from '@tollgate/sdk';
import { createCalls } from '@tollgate/sdk/calls';
import { eventually } from '@tollgate/testkit/eventually';
import { itWith } from '../it-with.ts';
import { openProduct } from '../open-product.ts';
import { untilFree } from './held-money.ts';
import { streamingApis } from './http-apis.ts';
import { openTokenMarket } from './market.ts';

const eventCount = 3;
const mostTokens = 100;
const usdPerToken = 0.001;
const charges = ['delivered', 'none', 'all'] as const;

/** An event stream that goes on when it is told to. It begins with a comment, which is no event. */
function createEvents() {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let sent = 0;
  const write = (text: string) => controller?.enqueue(new TextEncoder().encode(text));
  return {
    source: () =>
      new ReadableStream<Uint8Array>({
        start(started) {
          controller = started;
          sent = 0;
          write(': welcome\n\n');
        },
      }),
    send: () => write(`data: {"tokens":${(sent += 1) * 10}}\n\n`),
    finish: () => controller?.close(),
    fail: () => controller?.error(new Error('the model is gone')),
  };
}

interface Reading {
  readonly answer: IncomingMessage;
  readonly read: () => string;
}

async function open(url: string, pass: string): Promise<Reading> {
  return new Promise((resolve, reject) => {
    ask(url, { headers: { authorization: `Bearer ${pass}` }, agent: false }, (answer) => {
      let read = '';
      answer.on('error', () => undefined); // it was cut
      answer.on('data', (chunk: Buffer) => (read += chunk.toString()));
      resolve({ answer, read: () => read });
    })
      .on('error', reject)
      .end();
  });
}

type Stop = (reading: Reading, events: ReturnType<typeof createEvents>) => void;

const cuts: Readonly<Record<string, Stop>> = {
  'F324 whose client hangs up': ({ answer }) => void answer.destroy(),
  'F324 that the network cuts': ({ answer }) => void answer.socket.resetAndDestroy(),
  'F324 whose source breaks': (_reading, { fail }) => fail(),
};

describe('an event stream behind the middleware', () => {
  const it = itWith(async (undo) => {
    const product = await openProduct({ name: 'middleware-event-streams' }, undo);
    return async (serve: (typeof streamingApis)[string]) => {
      const market = await openTokenMarket(product.baseUrl(), usdPerToken);
      const { builder, consumer, slug } = market;
      const meter = await Meter.open({ tollgate: builder, durability: 'memory' });
      undo(() => meter.close());
      const errors: unknown[] = [];
      const gate = { max: { metadata: { tokens: mostTokens } } };
      const calls = createCalls({ tollgate: builder, meter, gate, onError: (error) => errors.push(error) });
      const usage = ({ data }: { data: string }) => {
        const { tokens } = JSON.parse(data) as { tokens: number };
        if (tokens > mostTokens) throw new Error('nobody sells so many');
        return { tokens };
      };

      /** Asks an API with this policy, and reads so many events. */
      async function begin(charge: (typeof charges)[number], count: number) {
        const events = createEvents();
        const api = await serve({ calls, tool: slug, source: events.source, events: { usage, charge } });
        undo(() => api.close());
        const reading = await open(`${api.baseUrl}/weather`, market.pass);
        for (let at = 1; at <= count; at += 1) {
          events.send();
          await eventually(() => reading.read().includes(`"tokens":${at * 10}}`), { withinMs: 10_000 });
        }
        return { ...events, reading, events };
      }

      /** The calls that were paid are these, and nothing is held. */
      async function expectPaid(tokens: readonly number[]) {
        await untilFree(market);
        await market.untilCounted({ successes: tokens.length, failures: 0 });
        const recorded = (await consumer.events.list({ tool_id: slug }).toArray()).map(({ metadata }) => metadata);
        expect(recorded.map((metadata) => Number(metadata?.['tokens'])).toSorted((a, b) => a - b)).toEqual(
          tokens.toSorted((a, b) => a - b),
        );
        const usd = tokens.reduce((sum, count) => sum + count * usdPerToken, 0);
        expect((await consumer.usage.get({ tool_id: slug })).totals.charge_usd).toBeCloseTo(usd, 6);
        expect(errors).toEqual([]);
      }

      return { begin, expectPaid, market };
    };
  });

  for (const [name, serve] of Object.entries(streamingApis)) {
    it(`F324 that ends costs its last usage, by each policy, on ${name}`, async (openApi) => {
      const { begin, expectPaid } = await openApi(serve);
      for (const charge of charges) {
        const { finish, reading } = await begin(charge, eventCount);
        finish();
        await eventually(() => reading.answer.complete, { withinMs: 10_000 });
      }
      await expectPaid(charges.map(() => eventCount * 10));
    });

    for (const [title, cut] of Object.entries(cuts))
      it(`${title}, at each event, costs what each policy says and holds nothing, on ${name}`, async (openApi) => {
        const { begin, expectPaid } = await openApi(serve);
        const tokens: number[] = [];
        for (const charge of charges)
          for (let at = 0; at <= eventCount; at += 1) {
            const { reading, events } = await begin(charge, at);
            cut(reading, events);
            tokens.push({ delivered: at * 10, none: 0, all: mostTokens }[charge]);
          }
        await expectPaid(tokens.filter((count) => count > 0));
      });
  }
});
