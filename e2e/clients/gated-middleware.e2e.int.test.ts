import { describe, expect } from '@jest/globals';
import { Meter } from '@tollgate/sdk';
import { createCalls } from '@tollgate/sdk/calls';
import { itWith } from '../it-with.ts';
import { openProduct } from '../open-product.ts';
import { gatedApis } from './gated-apis.ts';
import { openMarket } from './market.ts';
import { openSlowGate } from './slow-gate.ts';
import { heldUsd, untilFree } from './held-money.ts';

describe('the gate before an API', () => {
  const it = itWith(async (undo) => {
    const product = await openProduct({ name: 'gated-middleware' }, undo);
    return async (openApi: (typeof gatedApis)[string]) => {
      const market = await openMarket(product.baseUrl());
      const gate = await openSlowGate(market);
      const { tollgate } = gate;
      const meter = await Meter.open({ tollgate, durability: 'memory' });
      const ran: string[] = [];
      const errors: unknown[] = [];
      const hungUp = Promise.withResolvers<undefined>();
      const api = await openApi({
        calls: createCalls({ tollgate, meter, gate: true, onError: (error) => errors.push(error) }),
        tool: market.slug,
        handle: () => (ran.push('ran'), '12 degrees'),
        onHungUp: () => hungUp.resolve(undefined),
      });
      undo(() => api.close());
      undo(() => meter.close());
      const headers = { authorization: `Bearer ${market.pass}` };
      const ask = (signal?: AbortSignal) => api.ask({ headers, ...(signal && { signal }) });
      const capAt = (amount: number) =>
        market.consumer.passes.update(market.passId, { cap: { amount_usd: amount, window: 'month' } });
      return { ask, capAt, market, gate, ran, errors, hungUp: hungUp.promise };
    };
  });

  for (const [framework, openApi] of Object.entries(gatedApis)) {
    it(`answers 402 on ${framework}, as Tollgate does, when a cap is reached in the middle`, async (open) => {
      const { ask, capAt, market, gate, ran, errors } = await open(openApi);
      await capAt(0.02);
      gate.letThrough();
      const answers = [await ask(), await ask(), await ask()];
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 402]);
      const [, , refused] = await Promise.all(answers.map((answer) => answer.text()));
      expect(JSON.parse(refused ?? '')).toMatchObject({ code: 'spending_cap_reached', status: 402 });
      await market.untilCounted({ successes: 2, failures: 0 });
      expect([ran.length, errors]).toEqual([2, []]);
    });

    it(`holds nothing on ${framework} for a client that hung up while its request asked, and runs no handler`, async (open) => {
      const { ask, capAt, market, gate, ran, errors, hungUp } = await open(openApi);
      await capAt(0.01);
      const gone = new AbortController();
      const first = ask(gone.signal);
      first.catch(() => undefined);
      await gate.asked();
      gone.abort();
      await hungUp;
      expect(await heldUsd(market)).toBe(0.01);
      gate.letThrough();
      await untilFree(market);
      expect((await ask()).status).toBe(200);
      expect([ran.length, errors]).toEqual([1, []]);
    });
  }
});
