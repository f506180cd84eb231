import { describe, expect } from '@jest/globals';
import { errorMeta, keyMeta, meterServer } from '@tollgate/mcp';
import { Meter, Tollgate } from '@tollgate/sdk';
import { createCalls } from '@tollgate/sdk/calls';
import { itWith } from '../it-with.ts';
import { generations } from './mcp-generations.ts';
import { openProxies, serverCommand } from './open-proxies.ts';

describe('a builder who has set metering up wrong', () => {
  const it = itWith(async (undo) => {
    const proxies = await openProxies('mcp-misconfigured', undo);
    return {
      ...proxies,
      /** A server that meters with these settings, the pass of a consumer for all tools, and the errors that the builder gets. */
      async serve(settings: { readonly slug?: string; readonly apiKey?: string; readonly gate?: boolean }) {
        const { market } = await proxies.open();
        const { slug = market.slug, apiKey, gate = false } = settings;
        const tollgate = apiKey === undefined ? market.builder : new Tollgate({ url: market.builder.url, apiKey });
        const meter = await Meter.open({ tollgate, durability: 'memory' });
        const errors: unknown[] = [];
        const ran: string[] = [];
        const onError = (error: unknown) => void errors.push(error);
        const calls = createCalls({ tollgate, meter, requirePass: true, gate, onError });
        const conversation = await generations.second({ report: (city) => (ran.push(city), city) }, (server) =>
          meterServer(server, { tollgate, calls, tool: () => slug, onError }),
        );
        undo(() => Promise.all([conversation.close(), meter.close({ timeoutMs: 0 })]));
        const { key } = await market.consumer.passes.create({ name: 'all', tools: '*' });
        const call = () => conversation.call('weather', { city: 'Oslo' }, { [keyMeta]: key });
        return { call, errors, ran };
      },
    };
  });

  for (const gate of [false, true])
    for (const [what, settings] of Object.entries({
      'a tool that does not exist': { slug: 'no-such-tool-anywhere' },
      'an API key that is refused': { apiKey: 'tg_live_nobody' },
    }))
      it(`F260 lets nobody run a tool for nothing by ${what}, ${gate ? 'with the gate' : 'with requirePass'}`, async ({
        serve,
      }) => {
        const { call, errors, ran } = await serve({ ...settings, gate });
        const refused = await call();
        expect(refused).toMatchObject({ isError: true, _meta: { [errorMeta]: { code: 'tool_misconfigured' } } });
        expect(refused.content[0]?.text).toMatch(/^The tool weather .* builder .*do not try again\.$/);
        expect(ran).toEqual([]);
        expect(errors).not.toEqual([]);
      });

  it('F260 is reported at the start of mcp-proxy, which ends with 1', async ({ open }) => {
    const { market, startRaw } = await open();
    const readOnly = await market.builder.apiKeys.create({ name: 'read only', can: ['read'] });
    const starts = [
      { slug: 'no-such-tool-anywhere', env: {}, reported: /there is no tool no-such-tool-anywhere: correct --tool/ },
      { slug: market.slug, env: { TOLLGATE_API_KEY: 'tg_live_nobody' }, reported: /TOLLGATE_API_KEY is refused/ },
      {
        slug: market.slug,
        env: { TOLLGATE_API_KEY: readOnly.key ?? '' },
        reported: /TOLLGATE_API_KEY may not meter calls.*events and read/,
      },
    ];
    for (const { slug, env, reported } of starts) {
      const proxy = startRaw(['--require-pass', '--tool', `weather=${slug}`, '--', ...serverCommand, 'second'], env);
      expect(await proxy.exited).toBe(1);
      expect(proxy.errors()).toMatch(reported);
    }
  });

  for (const flag of ['--require-pass', '--gate'])
    it(`F260 is reported at the start of mcp-proxy ${flag} that the tool is another builder's`, async ({ open }) => {
      const [{ startRaw, market: own }, { market: other }] = [await open(), await open()];
      const tools = ['--tool', `forecast=${own.slug}`, '--tool', `weather=${other.slug}`];
      const proxy = startRaw([flag, ...tools, '--', ...serverCommand, 'second']);
      expect(await proxy.exited).toBe(1);
      expect(proxy.errors()).toMatch(
        new RegExp(`^tollgate: the account of TOLLGATE_API_KEY does not own the tool ${other.slug}: .*\\n$`),
      );
    });

  it('F260 names the tool that the agent called, not its slug', async ({ open }) => {
    const { market, start } = await open();
    const other = `${market.slug}-other`;
    await market.builder.tools.create({ slug: other, name: 'Other', price: { per_call_usd: '0.01' } });
    const pass = await market.consumer.passes.create({ name: 'other tools', tools: [other] });
    for (const flag of ['--gate', '--require-pass']) {
      const env = { TOLLGATE_KEY: pass.key };
      const proxy = await start(
        'second',
        [flag, '--tool', `weather=${market.slug}`, '--', ...serverCommand, 'second'],
        env,
      );
      const refused = await proxy.call('Oslo');
      expect(refused.content[0]?.text).toMatch(/\bweather\b/);
      expect(refused.content[0]?.text).not.toContain(market.slug);
      await proxy.close();
    }
  });
});
