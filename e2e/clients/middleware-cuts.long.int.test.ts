import { request as ask } from 'node:http';
import { describe, expect } from '@jest/globals';
import { meterFetch } from '@tollgate/middleware/fetch';
import { Meter } from '@tollgate/sdk';
import { createCalls } from '@tollgate/sdk/calls';
import { itWith } from '../it-with.ts';
import { openProduct } from '../open-product.ts';
import { bufferedApis, endlessApis, largeBytes, type CutOptions } from './cut-apis.ts';
import { openMarket } from './market.ts';

/** Hangs up as soon as so many bytes of the body are here. Gives what has come. */
async function readAndLeave(url: string, key: string, bytes: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const asking = ask(url, { headers: { authorization: `Bearer ${key}` } }, (answer) => {
      let read = '';
      answer.on('error', () => undefined); // we hung up
      answer.on('data', (chunk: Buffer) => {
        read += chunk.toString('latin1');
        if (read.length < bytes) return;
        answer.destroy();
        resolve(read);
      });
    });
    asking.on('error', reject).end();
  });
}

describe('an answer', () => {
  const it = itWith(async (undo) => {
    const product = await openProduct({ name: 'middleware-cuts' }, undo);
    return async () => {
      const market = await openMarket(product.baseUrl());
      const meter = await Meter.open({ tollgate: market.builder, durability: 'memory' });
      undo(() => meter.close());
      const calls = createCalls({ tollgate: market.builder, meter, requirePass: true });
      const serve = async (api: (typeof bufferedApis)[string], options: Omit<CutOptions, 'tool'> = {}) => {
        const server = await api(calls, { tool: market.slug, ...options });
        undo(() => server.close());
        return server.baseUrl;
      };
      return { market, calls, serve };
    };
  });

  for (const [name, api] of Object.entries(bufferedApis)) {
    it(`F262 that is cut at its beginning is a failed call, though it was written at once, on ${name}`, async (open) => {
      const { market, serve } = await open();
      await readAndLeave(`${await serve(api)}/weather?large`, market.pass, 1);
      await market.untilCounted({ successes: 0, failures: 1 });
    });

    it(`F262 that was cut is what the API says that it is, on ${name}`, async (open) => {
      const { market, serve } = await open();
      const baseUrl = await serve(api, {
        failed: ({ isWhole, cutBy }) => !isWhole && cutBy !== 'caller',
        metadata: (_request, { status, isWhole, cutBy = 'nobody', deliveredBytes }) => ({
          status,
          whole: isWhole,
          by: cutBy,
          cut: deliveredBytes < largeBytes,
        }),
      });
      await readAndLeave(`${baseUrl}/weather?large`, market.pass, 1);
      await market.untilCounted({ successes: 1, failures: 0 });
      const [event] = await market.consumer.events.list().toArray();
      expect(event?.metadata).toEqual({ status: 200, whole: false, by: 'caller', cut: true });
    });

    it(`F262 that is whole is reported with its bytes, on ${name}`, async (open) => {
      const { market, serve } = await open();
      const metadata: CutOptions['metadata'] = (_request, { isWhole, cutBy = 'nobody', deliveredBytes }) => ({
        whole: isWhole,
        by: cutBy,
        bytes: deliveredBytes,
      });
      const headers = { authorization: `Bearer ${market.pass}` };
      await (await fetch(`${await serve(api, { metadata })}/weather`, { headers })).text();
      await market.untilCounted({ successes: 1, failures: 0 });
      const [event] = await market.consumer.events.list().toArray();
      expect(event?.metadata).toEqual({ whole: true, by: 'nobody', bytes: 10 });
    });

    it(`F262 to a preflight is neither refused nor metered, and has no body to get for nothing, on ${name}`, async (open) => {
      const { market, serve } = await open();
      const url = `${await serve(api)}/weather`;
      const headers = { origin: 'https://shop.example', 'access-control-request-method': 'GET' };
      const preflight = await fetch(url, { method: 'OPTIONS', headers });
      expect([preflight.status, await preflight.text()]).toEqual([200, '']);
      expect((await fetch(url, { method: 'OPTIONS' })).status).toBe(402); // no preflight
      await (await fetch(url, { headers: { authorization: `Bearer ${market.pass}` } })).text();
      await market.untilCounted({ successes: 1, failures: 0 });
    });
  }

  for (const [name, api] of Object.entries(endlessApis)) {
    it(`F262 whose reader leaves when all of it was sent is no failed call, on ${name}`, async (open) => {
      const { market, serve } = await open();
      expect(await readAndLeave(`${await serve(api)}/weather`, market.pass, 10)).toBe('12 degrees');
      await market.untilCounted({ successes: 1, failures: 0 });
    });
  }

  it('F262 whose reader leaves when all of it was sent is no failed call, on a fetch handler', async (open) => {
    const { market, calls } = await open();
    const handler = meterFetch(() => new Response('12 degrees'), calls, { tool: market.slug });
    const headers = { authorization: `Bearer ${market.pass}` };
    const { body } = await handler(new Request('http://localhost/', { headers }));
    const reader = body?.getReader();
    expect((await reader?.read())?.value).toHaveLength(10);
    await reader?.cancel();
    await market.untilCounted({ successes: 1, failures: 0 });
  });

  it('F262 to HEAD, whose body nobody reads, ends its call, on a fetch handler', async (open) => {
    const { market, calls } = await open();
    const handler = meterFetch(() => new Response('12 degrees'), calls, { tool: market.slug });
    const headers = { authorization: `Bearer ${market.pass}` };
    await handler(new Request('http://localhost/', { method: 'HEAD', headers }));
    await market.untilCounted({ successes: 1, failures: 0 });
  });
});
