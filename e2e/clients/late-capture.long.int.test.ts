import { fileURLToPath } from 'node:url';
import { describe, expect } from '@jest/globals';
import { systemClock } from '@tollgate/kernel/clock';
import { Meter, Tollgate } from '@tollgate/sdk';
import { createCalls, type CallsOptions } from '@tollgate/sdk/calls';
import { startChildService } from '@tollgate/testkit/child-service';
import { eventually } from '@tollgate/testkit/eventually';
import { buildPackage } from '../../tools/release/pack-package.ts';
import { itWith, openFolder } from '../it-with.ts';
import { openProduct } from '../open-product.ts';
import { openMarket, type Market } from './market.ts';
import { openSlowGate } from './slow-gate.ts';

const cli = fileURLToPath(new URL('../../packages/cli/dist/main.js', import.meta.url));
const hourMs = 3_600_000;
const shortest = { ttl_seconds: 5 };

describe('a capture', () => {
  const it = itWith(async (undo) => {
    buildPackage('packages/cli');
    const product = await openProduct({ name: 'late-capture' }, undo);
    const folder = openFolder('late-capture-spools', undo);
    const open = async (options: Pick<CallsOptions, 'gate'>) => {
      const market = await openMarket(product.baseUrl());
      const gate = await openSlowGate(market);
      gate.letThrough();
      const reported: string[] = [];
      const meter = await Meter.open({
        tollgate: gate.tollgate,
        durability: 'memory',
        onRejected: ({ message }) => reported.push(message),
      });
      undo(() => meter.close());
      const onError = (error: unknown) => void reported.push(String(error));
      const begin = createCalls({ tollgate: gate.tollgate, meter, onError, ...options });
      const beginCall = async (key: string) => {
        const call = await begin({ tool: market.slug, key });
        if ('refusal' in call) throw new Error(call.refusal.detail);
        return { ...call, authorization: await gate.asked() };
      };
      return { market, beginCall, reported };
    };
    return { open, url: product.baseUrl(), folder };
  });

  it('may come for an hour if the program names no time', async ({ open }) => {
    const { market, beginCall } = await open({ gate: true });
    const beforeMs = systemClock.now();
    const { authorization } = await beginCall(market.pass);
    const askedMs = Date.parse(authorization.expires_at) - hourMs;
    expect(askedMs).toBeGreaterThanOrEqual(beforeMs);
    expect(askedMs).toBeLessThanOrEqual(systemClock.now());
  });

  it('that comes too late for a pass is reported by the meter', async ({ open }) => {
    const { market, beginCall, reported } = await open({ gate: shortest });
    const { end, authorization } = await beginCall(market.pass);
    await untilExpired(market, authorization.id);
    await end({ success: true });
    await eventually(() => reported.length > 0, { withinMs: 10_000 });
    expect(reported).toEqual([expect.stringMatching(late(market))]);
  });

  it('that comes too late for an API key is reported by the calls', async ({ open }) => {
    const { market, beginCall, reported } = await open({ gate: shortest });
    const { key = '' } = await market.consumer.apiKeys.create({ name: 'agent' });
    const { end, authorization } = await beginCall(key);
    await untilExpired(market, authorization.id);
    await end({ success: true });
    expect(reported).toEqual([expect.stringMatching(late(market))]);
  });

  it('that comes too late out of the spool of mcp-proxy is reported on its standard error', async ({ url, folder }) => {
    const market = await openMarket(url);
    const { key = '' } = await market.builder.apiKeys.create({ name: 'proxy' });
    const ask = { tool_id: market.slug, pass: market.pass, ...shortest };
    const { id } = await market.builder.spending.authorize(ask);
    const unreachable = new Tollgate({ apiKey: key, url: 'http://127.0.0.1:9', retries: 0 });
    const meter = await Meter.open({ tollgate: unreachable, dir: folder });
    await meter.record({ tool: market.slug, authorizationId: id });
    expect(await meter.close({ timeoutMs: 0 })).toMatchObject({ left: 1 });
    await untilExpired(market, id);
    const proxy = startChildService({
      command: process.execPath,
      args: [cli, 'mcp-proxy', '--gate', '--tool', market.slug, '--spool', folder, '--', 'cat'],
      env: { TOLLGATE_URL: url, TOLLGATE_API_KEY: key },
    });
    await proxy.exited; // its input is at the end, so its client has hung up
    expect(proxy.output()).toMatch(late(market));
    await proxy.destroy();
  });
});

/** The sentence that tells of a capture that came too late. */
function late({ slug }: Market): RegExp {
  return new RegExp(`Nobody pays for the call of ${slug} at .*: Tollgate refused its event.*authorization_not_open`);
}

async function untilExpired({ consumer }: Market, id: string): Promise<void> {
  const state = async () => (await consumer.spending.authorization(id)).state;
  await eventually(async () => (await state()) === 'expired', { withinMs: 20_000 });
}
