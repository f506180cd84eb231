import { describe, expect } from '@jest/globals';
import { keyMeta, meterServer } from '@tollgate/mcp';
import { Meter } from '@tollgate/sdk';
import { createCalls } from '@tollgate/sdk/calls';
import { itWith } from '../it-with.ts';
import { openProduct } from '../open-product.ts';
import { heldUsd, untilFree } from './held-money.ts';
import { openMarket, type Market } from './market.ts';
import { generations } from './mcp-generations.ts';
import { openSlowGate } from './slow-gate.ts';

const oneCall = { amount_usd: 0.01, window: 'month' } as const;

/** The payers, each with room for one call. */
const payers = {
  async 'a pass with a cap'({ consumer, pass, passId }: Market): Promise<string> {
    await consumer.passes.update(passId, { cap: oneCall });
    return pass;
  },
  async 'an API key of an account with a budget'({ consumer }: Market): Promise<string> {
    await consumer.spending.setBudget({ ...oneCall, alerts: [] });
    const { key = '' } = await consumer.apiKeys.create({ name: 'agent' });
    return key;
  },
};

for (const generation of ['first', 'second'] as const) {
  describe(`money held for a call of an MCP server of the ${generation} generation`, () => {
    const it = itWith(async (undo) => {
      const product = await openProduct({ name: `mcp-release-${generation}` }, undo);
      return async () => {
        const market = await openMarket(product.baseUrl());
        const gate = await openSlowGate(market);
        const { tollgate } = gate;
        const meter = await Meter.open({ tollgate, durability: 'memory' });
        const errors: unknown[] = [];
        const onError = (error: unknown) => void errors.push(error);
        const ran: string[] = [];
        const calls = createCalls({ tollgate, meter, gate: true, onError });
        const conversation = await generations[generation]({ report: (city) => (ran.push(city), city) }, (server) =>
          meterServer(server, { tollgate, calls, tool: () => market.slug, onError }),
        );
        undo(() => Promise.all([conversation.close(), meter.close()]));
        return { ...conversation, market, gate, ran, errors };
      };
    });

    for (const [payer, openPayer] of Object.entries(payers))
      it(`of ${payer}, is free again when the tool did not run`, async (open) => {
        const { call, market, gate, ran, errors } = await open();
        const meta = { [keyMeta]: await openPayer(market) };
        gate.letThrough();
        await call('weather', {}, meta); // does not fit the schema of the tool
        await call('no-such-tool', { city: 'Oslo' }, meta).catch(() => undefined);
        expect(await call('weather', { city: 'Oslo' }, meta)).toMatchObject({ content: [{ text: 'Oslo' }] });
        await market.untilCounted({ successes: 1, failures: 0 });
        expect([ran, errors]).toEqual([['Oslo'], []]);
      });

    it('is free again when the client gives the call up while it asks', async (open) => {
      const { call, listTools, market, gate, ran, errors } = await open();
      const meta = { [keyMeta]: await payers['a pass with a cap'](market) };
      const givenUp = new AbortController();
      const first = call('weather', { city: 'Oslo' }, meta, givenUp.signal);
      await gate.asked();
      givenUp.abort();
      await expect(first).rejects.toThrow(/abort/i);
      await listTools(); // comes after the cancellation
      expect(await heldUsd(market)).toBe(0.01);
      gate.letThrough();
      await untilFree(market);
      expect(await call('weather', { city: 'Rome' }, meta)).toMatchObject({ content: [{ text: 'Rome' }] });
      await market.untilCounted({ successes: 1, failures: 0 });
      expect([ran, errors]).toEqual([['Rome'], []]);
    });

    it('is free again when the client hangs up while the call asks', async (open) => {
      const { call, close, market, gate, ran, errors } = await open();
      const meta = { [keyMeta]: await payers['a pass with a cap'](market) };
      const first = call('weather', { city: 'Oslo' }, meta);
      first.catch(() => undefined);
      await gate.asked();
      await close();
      expect(await heldUsd(market)).toBe(0.01);
      gate.letThrough();
      await untilFree(market);
      expect([ran, errors]).toEqual([[], []]);
    });
  });
}
