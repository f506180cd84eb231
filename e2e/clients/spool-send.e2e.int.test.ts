import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from '@jest/globals';
import { Meter } from '@tollgate/sdk';
import { serveHttp } from '@tollgate/testkit/http-server';
import { buildPackage } from '../../tools/release/pack-package.ts';
import { itWith, openFolder } from '../it-with.ts';
import { openProduct } from '../open-product.ts';
import { openMarket } from './market.ts';
import { runTollgate } from './tollgate-program.ts';

const nothing = { sent: 0, duplicates: 0, rejected: 0, left: 0, others: 0 };

describe('tollgate spool send', () => {
  const it = itWith(async (undo) => {
    buildPackage('packages/cli');
    const product = await openProduct({ name: 'spool-send' }, undo);
    const away = await serveHttp((request) => request.socket.destroy());
    undo(() => away.close());
    const folder = openFolder('spool-send-folders', undo);
    return async () => {
      const market = await openMarket(product.baseUrl());
      const { key: apiKey = '' } = await market.consumer.apiKeys.create({ name: 'spool' });
      const dir = join(folder, market.slug);
      const env = { XDG_CONFIG_HOME: folder, TOLLGATE_URL: product.baseUrl(), TOLLGATE_API_KEY: apiKey };
      const tollgate = async (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
        runTollgate(['--json', ...args], { ...env, ...more });
      return {
        market,
        dir,
        away: away.baseUrl,
        /** A meter that reaches no service. */
        openMeter: () => Meter.open({ dir, url: away.baseUrl, apiKey, retries: 0, onWarning: () => undefined }),
        send: (more?: Readonly<Record<string, string>>) => tollgate(['spool', 'send', dir], more),
        status: async () => JSON.parse((await tollgate(['spool', 'status', dir])).stdout) as { queued: number },
      };
    };
  });

  it('sends what a program that ended has left, once', async (open) => {
    const { market, openMeter, send, status } = await open();
    const meter = await openMeter();
    for (let at = 0; at < 3; at += 1) await meter.record({ tool: market.slug });
    expect(await meter.close({ timeoutMs: 0 })).toMatchObject({ left: 3 });
    expect(await status()).toMatchObject({ queued: 3 });
    const first = await send();
    expect([first.code, JSON.parse(first.stdout)]).toEqual([0, { ...nothing, sent: 3 }]);
    expect(await status()).toMatchObject({ queued: 0, segments: 0 });
    await market.untilCounted({ successes: 3, failures: 0 });
    expect(JSON.parse((await send()).stdout)).toEqual(nothing);
  });

  it('says what the service refused, and keeps it aside', async (open) => {
    const { market, dir, openMeter, send } = await open();
    const meter = await openMeter();
    await meter.record({ tool: market.slug });
    await meter.record({ tool: 'no-such-tool' });
    await meter.close({ timeoutMs: 0 });
    const { code, stdout } = await send();
    expect([code, JSON.parse(stdout)]).toEqual([0, { ...nothing, sent: 1, rejected: 1 }]);
    expect(readFileSync(join(dir, 'rejected.jsonl'), 'utf8')).toContain('no-such-tool');
  });

  it('with a wrong key ends with 3, with a service that is away with 4, and keeps all', async (open) => {
    const { market, dir, away, openMeter, send, status } = await open();
    const meter = await openMeter();
    await meter.record({ tool: market.slug });
    await meter.close({ timeoutMs: 0 });
    const wrong = await send({ TOLLGATE_API_KEY: 'tg_live_wrong' });
    expect([wrong.code, wrong.stdout]).toEqual([3, '']);
    expect((await send({ TOLLGATE_URL: away })).code).toBe(4);
    expect(await status()).toMatchObject({ queued: 1 });
    expect(existsSync(join(dir, 'rejected.jsonl'))).toBe(false);
  });

  it('says at once that the folder belongs to another account, and keeps all', async (open) => {
    const { market, openMeter, send, status } = await open();
    const leaveOne = async () => {
      const meter = await openMeter();
      await meter.record({ tool: market.slug });
      await meter.close({ timeoutMs: 0 });
    };
    await leaveOne();
    expect((await send()).code).toBe(0); // the folder is the consumer's now
    await leaveOne();
    const { key = '' } = await market.builder.apiKeys.create({ name: 'spool' });
    const { code, stdout, stderr } = await send({ TOLLGATE_API_KEY: key });
    expect([code, JSON.parse(stdout)]).toEqual([3, { ...nothing, left: 1 }]);
    expect(stderr).toContain('the spool has events of another account');
    expect(await status()).toMatchObject({ queued: 1 });
  });

  it('leaves to a living program what is its own', async (open) => {
    const { market, openMeter, send, status } = await open();
    const meter = await openMeter();
    await meter.record({ tool: market.slug });
    const { code, stdout, stderr } = await send();
    expect([code, JSON.parse(stdout)]).toEqual([0, { ...nothing, others: 1 }]);
    expect(stderr).toContain('1 events wait: another program has the folder open');
    expect(await status()).toMatchObject({ queued: 1 });
    await meter.close({ timeoutMs: 0 });
    expect(JSON.parse((await send()).stdout)).toMatchObject({ sent: 1 });
  });
});
