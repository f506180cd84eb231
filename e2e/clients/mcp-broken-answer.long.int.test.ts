import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from '@jest/globals';
import { systemClock } from '@tollgate/kernel/clock';
import { createFolderRepeatStore, createMetering, errorMeta } from '@tollgate/mcp';
import { Meter } from '@tollgate/sdk';
import { createCalls } from '@tollgate/sdk/calls';
import { eventually } from '@tollgate/testkit/eventually';
import { itWith, openFolder } from '../it-with.ts';
import { openProduct } from '../open-product.ts';
import { cuts, openCutClients, type Cut } from './cut-clients.ts';
import { untilFree } from './held-money.ts';
import { openMarket } from './market.ts';
import { overHttp, type McpOverHttp } from './mcp-over-http.ts';
import { ask, beginSession, modernCall, toCall, type HttpAnswer, type HttpAsk } from './speak-http.ts';

type Post = (given?: HttpAsk) => Promise<HttpAnswer>;

/** Servers that are made per request come first: they have no memory that could help. */
const kinds = Object.entries(overHttp).toSorted(([, a], [, b]) => Number(b.isPerRequest) - Number(a.isPerRequest));
const modern = overHttp["second generation and 2026's revision of MCP"] as McpOverHttp;

/** Sends a call of the tool as a client of this kind. */
async function toPost({ isPerRequest, revision }: McpOverHttp, url: string, pass: string) {
  const sessionId = isPerRequest ? undefined : await beginSession(url, pass);
  let id = 0; // a transport with sessions mixes up what has one id
  return (city: string): Post =>
    (given = {}) => {
      const { message, headers } = revision === undefined ? { message: toCall((id += 1), city) } : modernCall(city);
      return ask(url, {
        pass,
        sessionId,
        ...given,
        ...(message && { message }),
        headers: { ...headers, ...given.headers },
      });
    };
}

interface CallResult {
  readonly content?: readonly { readonly text: string }[];
  readonly _meta?: Readonly<Record<string, { readonly code: string } | undefined>>;
}

const resultOf = ({ messages }: HttpAnswer) => messages.at(-1)?.result as CallResult | undefined;
const textOf = async (answer: Promise<HttpAnswer>) => resultOf(await answer)?.content?.[0]?.text;
const codeOf = (answer: HttpAnswer) => resultOf(answer)?._meta?.[errorMeta]?.code;

describe('a client that hangs up before it has its answer, and sends the call again', () => {
  const it = itWith(async (undo) => {
    const product = await openProduct({ name: 'mcp-broken-answer' }, undo);
    const folder = openFolder('mcp-broken-answers', undo);
    let shops = 0;
    /** Two processes of a server, which share a folder, and a pass whose cap has room for so much. */
    return async (row: McpOverHttp, capUsd = 5) => {
      const market = await openMarket(product.baseUrl());
      await market.consumer.passes.update(market.passId, { cap: { amount_usd: capUsd, window: 'month' } });
      const meter = await Meter.open({ tollgate: market.builder, durability: 'memory' });
      const clients = openCutClients();
      const answers = join(folder, String((shops += 1)));
      const errors: unknown[] = [];
      const onError = (error: unknown) => void errors.push(error);
      let laterMs = 0;
      const openServer = async () => {
        const calls = clients.stopAtRecording(createCalls({ tollgate: market.builder, meter, gate: true, onError }));
        const repeatStore = createFolderRepeatStore(answers, { nowMs: () => systemClock.now() + laterMs });
        const options = { tollgate: market.builder, calls, tool: market.slug, repeatStore, onError };
        const server = await row.serve(clients.weather, createMetering(options));
        undo(() => server.close());
        return server.baseUrl;
      };
      const [here, elsewhere] = [await openServer(), await openServer()];
      undo(() => (clients.close(), meter.close()));
      const kept = () => readdirSync(answers).filter((file) => !file.startsWith('.')); // others are being written
      const untilKept = () => eventually(() => kept().length === 1, { withinMs: 10_000 });
      /** The call of a city, as a client of this pass sends it to either process. */
      const post = async (pass = market.pass) => {
        const [toHere, toElsewhere] = [await toPost(row, here, pass), await toPost(row, elsewhere, pass)];
        return (city: string) => ({ here: toHere(city), elsewhere: toElsewhere(city) });
      };
      return {
        market,
        clients,
        errors,
        untilKept,
        isEmpty: () => readdirSync(answers).length === 0,
        post,
        /** A call whose client has missed its answer. */
        async missed(cut: Cut) {
          const call = (await post())('Oslo');
          await clients.hangUp(cut, call.here);
          await untilKept();
          return call;
        },
        later: (ms: number) => void (laterMs += ms),
      };
    };
  });

  for (const [kind, row] of kinds)
    it(`F298 is given what it missed and pays once, wherever it was cut: ${kind}`, async (open) => {
      const { market, clients, errors, post, untilKept, isEmpty } = await open(row);
      const call = await post();
      for (const cut of cuts)
        for (const where of ['here', 'elsewhere'] as const) {
          const to = call(`${cut}, again ${where}`);
          await clients.hangUp(cut, to.here);
          if (where === 'elsewhere') await untilKept();
          const run = clients.runs();
          expect(await textOf(to[where]())).toBe(`${cut}, again ${where} ${run}`);
          await eventually(isEmpty, { withinMs: 10_000 });
          expect(await textOf(to.here())).toBe(`${cut}, again ${where} ${run + 1}`);
        }
      expect(clients.runs()).toBe(12);
      await market.untilCounted({ successes: 12, failures: 0 });
      await untilFree(market);
      expect((await market.consumer.passes.get(market.passId)).spent_usd).toBe(0.12);
      expect(errors).toEqual([]);
    });

  it('F299 leaves its answer to no other pass, and to one of two that ask at once', async (open) => {
    const { market, post, missed } = await open(modern);
    const call = await missed('while the tool runs');
    const { key } = await market.consumer.passes.create({ name: 'other agent', tools: [market.slug] });
    const others = (await post(key))('Oslo');
    expect([await textOf(others.here()), await textOf(others.elsewhere())]).toEqual(['Oslo 2', 'Oslo 3']);
    const both = await Promise.all([textOf(call.here()), textOf(call.elsewhere())]);
    expect(new Set(both)).toEqual(new Set(['Oslo 1', 'Oslo 4']));
    await market.untilCounted({ successes: 4, failures: 0 });
  });

  it('F299 leaves its answer for ten minutes', async (open) => {
    const { market, later, missed } = await open(modern);
    const call = await missed('while the answer is written');
    later(600_000);
    expect(await textOf(call.here())).toBe('Oslo 2');
    await market.untilCounted({ successes: 2, failures: 0 });
  });

  for (const [kind, row] of kinds)
    it(`F299 has two calls after an answer that it has: ${kind}`, async (open) => {
      const { market, post, isEmpty, errors } = await open(row);
      const call = (await post())('Oslo');
      expect([await textOf(call.here()), await textOf(call.here())]).toEqual(['Oslo 1', 'Oslo 2']);
      expect(await textOf(call.elsewhere())).toBe('Oslo 3');
      const both = await Promise.all([textOf(call.here()), textOf(call.here())]);
      expect(new Set(both)).toEqual(new Set(['Oslo 4', 'Oslo 5']));
      await market.untilCounted({ successes: 5, failures: 0 });
      expect([isEmpty(), errors]).toEqual([true, []]);
    });

  it('F298 is given what it paid with the last cent of its cap', async (open) => {
    const { market, missed } = await open(modern, 0.01);
    const call = await missed('while the tool runs');
    await market.untilCounted({ successes: 1, failures: 0 });
    expect(await textOf(call.here())).toBe('Oslo 1');
    expect(codeOf(await call.here())).toBe('spending_cap_reached');
  });

  it('F299 gets nothing any more once its pass is revoked', async (open) => {
    const { market, post, missed, isEmpty } = await open(modern);
    const call = await missed('while the tool runs');
    const rome = (await post())('Rome');
    await market.consumer.passes.delete(market.passId);
    await eventually(async () => codeOf(await rome.here()) === 'pass_refused', { withinMs: 10_000 });
    expect(codeOf(await call.here())).toBe('pass_refused');
    expect(isEmpty()).toBe(false);
  });
});
