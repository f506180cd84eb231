import { describe, expect } from '@jest/globals';
import { errorMeta, idempotencyMeta, priceMeta } from '@tollgate/mcp';
import { itWith } from '../it-with.ts';
import type { Market } from './market.ts';
import type { Weather } from './mcp-generations.ts';
import { overHttp, type McpOverHttp } from './mcp-over-http.ts';
import { openListeners, type ListenedMarket } from './open-listeners.ts';
import { serverCommand } from './open-proxies.ts';

/** A server that keeps what it was asked, with all that it can see of its caller. */
function createWeather() {
  const asked: { readonly city: string; readonly seen: string }[] = [];
  const weather: Weather = {
    report(city, extra) {
      asked.push({
        city,
        seen: JSON.stringify(extra, (_, value: unknown) => (value instanceof Headers ? [...value] : value)),
      });
      if (city === 'Atlantis') throw new Error('no such city');
      return `${city} ${asked.length}`;
    },
  };
  return { asked, weather };
}

const stdioServers = {
  'first generation, one server per session': 'first',
  'second generation, one server per session': 'second',
  "second generation and 2026's revision of MCP": 'modern',
};

describe('tollgate mcp-proxy --listen', () => {
  const it = itWith(async (undo) => {
    const { open } = await openListeners('mcp-proxy-listen', undo);
    const connectTo =
      ({ connect }: McpOverHttp, url: string) =>
      async (pass: string | undefined) => {
        const conversation = await connect(url, pass);
        undo(() => conversation.close());
        return conversation;
      };
    /** The proxy before a server at an address. */
    const beforeAddress = async (row: McpOverHttp, opened: ListenedMarket, flags: readonly string[] = []) => {
      const { asked, weather } = createWeather();
      const upstream = await row.serve(weather, (server) => server);
      undo(() => upstream.close());
      const { url } = await opened.listen([...flags, `${upstream.baseUrl}/mcp`]);
      return { asked, url, connect: connectTo(row, url) };
    };
    return { open, beforeAddress, connectTo };
  });

  const another = async ({ slug }: Market, { open }: { open: () => Promise<ListenedMarket> }) => {
    const { market } = await open();
    const { id, key } = await market.consumer.passes.create({ name: 'other agent', tools: [slug] });
    return { ...market, passId: id, pass: key };
  };

  for (const [kind, row] of Object.entries(overHttp))
    it(`F292 is paid by the owner of the bearer token, which goes no further: ${kind}`, async (given) => {
      const opened = await given.open();
      const { market } = opened;
      const other = await another(market, given);
      const { asked, connect } = await given.beforeAddress(row, opened);
      const [mine, theirs] = [await connect(market.pass), await connect(other.pass)];
      expect(JSON.stringify((await mine.listTools())[0]?._meta?.[priceMeta])).toContain('"unit_price_usd":"0.01"');
      expect(await mine.call('weather', { city: 'Oslo' })).toMatchObject({ content: [{ text: 'Oslo 1' }] });
      expect(await theirs.call('weather', { city: 'Rome' })).toMatchObject({ content: [{ text: 'Rome 2' }] });
      expect(await mine.call('weather', { city: 'Atlantis' })).toMatchObject({ isError: true });
      await market.untilCounted({ successes: 1, failures: 1 });
      await other.untilCounted({ successes: 1, failures: 0 });
      expect(asked.map(({ city }) => city)).toEqual(['Oslo', 'Rome', 'Atlantis']);
      expect(JSON.stringify(asked)).not.toMatch(/tg_pass_|bearer/i);
    });

  for (const [kind, server] of Object.entries(stdioServers))
    it(`is paid by the owner of the bearer token for a program: ${kind}`, async (given) => {
      const { market, listen } = await given.open();
      const other = await another(market, given);
      const { url } = await listen(['--gate', '--', ...serverCommand, server], { TOLLGATE_KEY: 'no pass of a caller' });
      const connect = given.connectTo(overHttp[kind] as McpOverHttp, url); // a kind of both tables
      const [mine, theirs] = [await connect(market.pass), await connect(other.pass)];
      expect((await mine.listTools())[0]?._meta).toHaveProperty([priceMeta]);
      expect(await mine.call('weather', { city: 'Oslo' })).toMatchObject({ content: [{ text: 'Oslo' }] });
      expect(await mine.call('weather', { city: 'how often' })).toMatchObject({ content: [{ text: 'run 2' }] });
      // The other pass has a program of its own.
      expect(await theirs.call('weather', { city: 'how often' })).toMatchObject({ content: [{ text: 'run 1' }] });
      await market.untilCounted({ successes: 2, failures: 0 });
      await other.untilCounted({ successes: 1, failures: 0 });
    });

  for (const [kind, row] of Object.entries(overHttp))
    it(`F290 gives no pass the answer to a repeat of another one: ${kind}`, async (given) => {
      const opened = await given.open();
      const { market } = opened;
      const other = await another(market, given);
      const { connect } = await given.beforeAddress(row, opened);
      const again = { [idempotencyMeta]: 'call-1' };
      const [mine, theirs] = [await connect(market.pass), await connect(other.pass)];
      const answers = [
        await mine.call('weather', { city: 'Oslo' }, again),
        await mine.call('weather', { city: 'Oslo' }, again),
        await theirs.call('weather', { city: 'Oslo' }, again),
      ];
      expect(answers.map(({ content }) => content[0]?.text)).toEqual(['Oslo 1', 'Oslo 1', 'Oslo 2']);
      await market.untilCounted({ successes: 1, failures: 0 });
      await other.untilCounted({ successes: 1, failures: 0 });
    });

  it('refuses a call that the pass does not allow, and the server does not run', async (given) => {
    const opened = await given.open();
    const { key } = await opened.market.consumer.passes.create({
      name: 'for another tool',
      tools: [(await given.open()).market.slug],
    });
    const { asked, connect } = await given.beforeAddress(Object.values(overHttp)[0] as McpOverHttp, opened);
    const refused = await (await connect(key)).call('weather', { city: 'Oslo' });
    expect(refused).toMatchObject({ isError: true, _meta: { [errorMeta]: { code: 'tool_not_allowed' } } });
    expect(asked).toEqual([]);
  });

  it('serves who has no pass with --free alone, at the expense of the builder', async (given) => {
    const opened = await given.open();
    const { market } = opened;
    const row = overHttp['first generation, one server per session'] as McpOverHttp;
    const closed = await given.beforeAddress(row, opened);
    await expect(closed.connect(undefined)).rejects.toThrow('paid per call');
    const { connect } = await given.beforeAddress(row, opened, ['--free', '--gate']);
    expect(await (await connect(undefined)).call('weather', { city: 'Oslo' })).toMatchObject({
      content: [{ text: 'Oslo 1' }],
    });
    await expect(connect('tg_pass_of_nobody')).rejects.toThrow('no live Tollgate pass');
    expect(await (await connect(market.pass)).call('weather', { city: 'Rome' })).toMatchObject({
      content: [{ text: 'Rome 2' }],
    });
    await market.untilCounted({ successes: 1, failures: 0 });
    expect((await market.builder.usage.get()).totals.successes).toBe(1);
  });
});
