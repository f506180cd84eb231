import { describe, expect, it } from '@jest/globals';
import { systemClock } from '@tollgate/kernel/clock';
import { createMetering, errorMeta, keyMeta } from '@tollgate/mcp';
import { Meter, Tollgate } from '@tollgate/sdk';
import { createCalls } from '@tollgate/sdk/calls';
import { busyMs } from '@tollgate/testkit/eventually';
import { serveHttp } from '@tollgate/testkit/http-server';
import { generations } from './mcp-generations.ts';
import { overHttp } from './mcp-over-http.ts';

const meta = { [keyMeta]: 'tg_pass_x' };

/** A Tollgate that takes every connection and never answers, and a server that meters one of two tools there. */
async function openHanging(gate: boolean) {
  const hanging = await serveHttp(() => undefined);
  const tollgate = new Tollgate({ url: hanging.baseUrl, apiKey: 'tg_live_x' });
  const meter = await Meter.open({ tollgate, durability: 'memory' });
  const onError = () => undefined;
  const calls = createCalls({ tollgate, meter, gate, requirePass: true, onError });
  const tool = (name: string) => (name === 'weather' ? 'weather' : undefined);
  const free = (name: string) => (name === 'weather' ? undefined : 'weather');
  return {
    paid: createMetering({ tollgate, calls, tool, onError }),
    free: createMetering({ tollgate, calls, tool: free, onError }),
    close: () => Promise.all([hanging.close(), meter.close({ timeoutMs: 0 })]),
  };
}

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const startedMs = systemClock.monotonicMs();
  await work();
  return systemClock.monotonicMs() - startedMs;
}

describe('a metered MCP server whose Tollgate takes connections and never answers', () => {
  for (const generation of ['first', 'second'] as const)
    it(`F259 lists its tools, runs free ones at once, and refuses paid ones in time: ${generation} generation`, async () => {
      const hanging = await openHanging(generation === 'first');
      const paid = await generations[generation]({ report: (city) => city }, hanging.paid);
      const free = await generations[generation]({ report: (city) => city }, hanging.free);
      const first = async () => expect((await paid.listTools()).map(({ name }) => name)).toEqual(['weather']);
      expect(await msOf(first)).toBeLessThan(1_000 + busyMs);
      expect(await msOf(() => paid.listTools())).toBeLessThan(busyMs);
      const run = async () => expect(await free.call('weather', { city: 'Oslo' })).not.toHaveProperty('isError', true);
      expect(await msOf(run)).toBeLessThan(busyMs);
      const refused = paid.call('weather', { city: 'Oslo' }, meta);
      expect(await refused).toMatchObject({ isError: true, _meta: { [errorMeta]: { code: 'gate_unavailable' } } });
      await Promise.all([paid.close(), free.close()]);
      await hanging.close();
    }, 60_000);

  for (const kind of ['first generation, one server per request', "second generation and 2026's revision of MCP"])
    it(`F259 lists its tools at once to whom asks later: ${kind}`, async () => {
      const hanging = await openHanging(false);
      const server = await overHttp[kind]?.serve({ report: (city) => city }, hanging.paid);
      if (server === undefined) throw new Error(`there is no ${kind}`);
      const client = await overHttp[kind]?.connect(server.baseUrl, undefined);
      await client?.listTools();
      expect(await msOf(async () => client?.listTools())).toBeLessThan(busyMs);
      await client?.close();
      await server.close();
      await hanging.close();
    });
});
