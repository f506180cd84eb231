import { writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect } from '@jest/globals';
import { systemClock } from '@tollgate/kernel/clock';
import { Meter } from '@tollgate/sdk';
import { serveHttp } from '@tollgate/testkit/http-server';
import { buildPackage } from '../../tools/release/pack-package.ts';
import { itWith, openFolder } from '../it-with.ts';
import { openProduct } from '../open-product.ts';
import { openMarket } from './market.ts';
import { runTollgate } from './tollgate-program.ts';

interface Finding {
  readonly check: string;
  readonly result: string;
  readonly detail: string;
}

const operator = 'operator-token-of-the-doctor-tests';

describe('tollgate doctor', () => {
  const it = itWith(async (undo) => {
    buildPackage('packages/cli');
    const product = await openProduct({ name: 'doctor', env: { OPERATOR_TOKEN: operator } }, undo);
    const market = await openMarket(product.baseUrl());
    const { key: apiKey = '' } = await market.builder.apiKeys.create({ name: 'doctor' });
    const folder = openFolder('doctor-folders', undo);
    const env = { XDG_CONFIG_HOME: folder, TOLLGATE_URL: product.baseUrl(), TOLLGATE_API_KEY: apiKey };
    return {
      undo,
      product,
      market,
      apiKey,
      folder,
      /** The service, by a clock that is so many seconds from ours. */
      async serveAt(seconds: number) {
        const forward = async (
          { url = '/', headers: { authorization } }: IncomingMessage,
          response: ServerResponse,
        ) => {
          const headers = authorization === undefined ? {} : { authorization };
          const answer = await fetch(product.baseUrl() + url, { headers });
          const now = new Date(systemClock.now() + seconds * 1000);
          const body = { ...((await answer.json()) as object), now: now.toISOString() };
          const shown = { 'content-type': 'application/json', date: now.toUTCString() };
          response.writeHead(answer.status, shown).end(JSON.stringify(body));
        };
        const server = await serveHttp((request, response) => void forward(request, response));
        undo(() => server.close());
        return server.baseUrl;
      },
      async examine(more: Readonly<Record<string, string>> = {}, args: readonly string[] = []) {
        const { code, stdout, stderr } = await runTollgate(['--json', 'doctor', ...args], { ...env, ...more });
        const findings = JSON.parse(stdout) as Finding[];
        const results = Object.fromEntries(findings.map(({ check, result }) => [check, result]));
        const failed = findings.filter(({ result }) => result === 'failed');
        return { code, stderr, results, reasons: failed.map(({ detail }) => detail) };
      },
    };
  });

  it('finds nothing where all is well', async ({ examine, apiKey, folder, market }) => {
    const dir = join(folder, 'spool');
    const meter = await Meter.open({ dir, url: market.builder.url, apiKey });
    await meter.close();
    const { code, results } = await examine({}, ['--spool', dir]);
    expect([code, results]).toEqual([0, { service: 'ok', credential: 'ok', clock: 'ok', spool: 'ok' }]);
  });

  it('says that the service cannot be reached', async ({ examine, undo }) => {
    const away = await serveHttp((request) => request.socket.destroy());
    undo(() => away.close());
    const { code, stderr, results } = await examine({ TOLLGATE_URL: away.baseUrl });
    expect([code, results]).toEqual([
      1,
      { service: 'failed', credential: 'failed', clock: 'failed', spool: 'skipped' },
    ]);
    expect(stderr).toContain('3 of 4 checks failed');
  });

  it('says that the key is wrong, or that there is none', async ({ examine, folder, market }) => {
    const onlyTheKey = { service: 'ok', credential: 'failed', clock: 'ok', spool: 'skipped' };
    const wrong = await examine({ TOLLGATE_API_KEY: 'tg_live_wrong' });
    expect(wrong).toMatchObject({ code: 1, results: onlyTheKey });
    const none = await runTollgate(['--json', 'doctor'], { XDG_CONFIG_HOME: folder, TOLLGATE_URL: market.builder.url });
    expect(none.code).toBe(1);
    expect(none.stdout).toContain('You are not signed in');
  });

  it('says by how much the clock is wrong, either way, and allows 30 seconds', async ({ examine, serveAt }) => {
    const onlyTheClock = { service: 'ok', credential: 'ok', clock: 'failed', spool: 'skipped' };
    const late = await examine({ TOLLGATE_URL: await serveAt(3_600) });
    expect(late).toMatchObject({ code: 1, results: onlyTheClock });
    expect(late.reasons[0]).toMatch(/^the service's clock is 60 minutes ahead of this one: one of the two is wrong$/);
    const early = await examine({ TOLLGATE_URL: await serveAt(-3_600) });
    expect(early).toMatchObject({ code: 1, results: onlyTheClock });
    expect(early.reasons[0]).toMatch(/^the service's clock is 60 minutes behind this one: one of the two is wrong$/);
    expect((await examine({ TOLLGATE_URL: await serveAt(30) })).results).toMatchObject({ clock: 'ok' });
  });

  it('says that the spool is none', async ({ examine, folder }) => {
    const file = join(folder, 'a-file');
    writeFileSync(file, '');
    for (const dir of [file, join(folder, 'missing')]) {
      const { code, results } = await examine({}, ['--spool', dir]);
      expect([dir, code, results]).toEqual([dir, 1, { service: 'ok', credential: 'ok', clock: 'ok', spool: 'failed' }]);
    }
  });

  it('says that the clock of the sandbox was moved, as every refusal for the time does', async (opened) => {
    const { product, market, apiKey, examine } = opened;
    const before = new Date(systemClock.now()).toISOString();
    await product.client('POST', '/v1/sandbox/clock', { token: operator, body: { advance_seconds: 21 * 86_400 } });
    const { code, reasons } = await examine();
    expect([code, reasons]).toEqual([
      1,
      [expect.stringMatching(/^the service's sandbox clock was moved: it is \S+Z there, 21 days ahead of this one\. /)],
    ]);
    const moved = expect.stringMatching(/: it is \d{4}-\S+Z here, since the sandbox clock was moved\.$/);
    const ask = (path: string, body: object) => product.client<object>('POST', path, { token: apiKey, body });
    const event = { tool_id: market.slug, timestamp: before };
    expect((await ask('/v1/events', event)).body).toMatchObject({ code: 'event_expired', detail: moved });
    expect((await ask('/v1/events/batch', { events: [event] })).body).toMatchObject({
      results: [{ error: { code: 'event_expired', detail: moved } }],
    });
    const pass = { name: 'late', tools: '*', expires_at: before };
    expect((await ask('/v1/passes', pass)).body).toMatchObject({ code: 'invalid_request', detail: moved });
    const price = { price: { per_call_usd: '1' }, effective_from: `${before.slice(0, 13)}:00:00Z` };
    expect((await ask(`/v1/tools/${market.slug}/prices`, price)).body).toMatchObject({ detail: moved });
  });
});
