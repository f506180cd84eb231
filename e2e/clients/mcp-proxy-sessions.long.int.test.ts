import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer, connect, type AddressInfo } from 'node:net';
import { describe, expect } from '@jest/globals';
import { eventually } from '@tollgate/testkit/eventually';
import { itWith } from '../it-with.ts';
import { heldUsd, untilFree } from './held-money.ts';
import type { Market } from './market.ts';
import { openListeners } from './open-listeners.ts';
import { rawServerCommand } from './open-proxies.ts';
import { ask, beginSession, initialize, modernCall, toCall } from './speak-http.ts';

const raw = ['--', ...rawServerCommand];

/** Leads to the product until it is cut. */
async function openRelay(to: string) {
  const sockets = new Set<{ destroy(): void }>();
  const server = createServer((near) => {
    const far = connect(Number(new URL(to).port), '127.0.0.1');
    for (const socket of [near, far]) sockets.add(socket.on('error', () => undefined));
    near.pipe(far).pipe(near);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** With a cap a pass shows what is held and spent. */
async function setCap({ consumer, passId }: Market): Promise<void> {
  await consumer.passes.update(passId, { cap: { amount_usd: 5, window: 'month' } });
}

async function untilSpent({ consumer, passId }: Market, usd: number): Promise<void> {
  await eventually(async () => (await consumer.passes.get(passId)).spent_usd === usd, { withinMs: 10_000 });
}

describe('the sessions of mcp-proxy --listen', () => {
  const it = itWith(async (undo) => ({ ...(await openListeners('mcp-proxy-sessions', undo)), undo }));

  it('F291 asks for a pass, and for the host and the origin of a client', async ({ open }) => {
    const { market, listen } = await open();
    const { pass, consumer } = market;
    const revoked = await consumer.passes.create({ name: 'revoked', tools: '*' });
    await consumer.passes.delete(revoked.id);
    const { url } = await listen([
      '--allow-origin',
      'https://app.example.com',
      '--allow-host',
      'mcp.example.com',
      ...raw,
    ]);
    const begin = (headers: Record<string, string>, by: string | undefined = pass) =>
      ask(url, { pass: by, message: initialize, headers });
    const nobody = await ask(url, { message: initialize });
    expect([nobody.status, nobody.headers['www-authenticate']]).toEqual([401, 'Bearer']);
    const dead = await begin({}, revoked.key);
    expect([dead.status, dead.headers['www-authenticate']]).toEqual([401, 'Bearer error="invalid_token"']);
    expect((await begin({ host: 'evil.example.com' })).status).toBe(403);
    expect((await begin({ origin: 'http://evil.example.com' })).status).toBe(403);
    expect((await begin({ host: 'mcp.example.com' })).status).toBe(200);
    const { status, headers } = await begin({ origin: 'https://app.example.com' });
    expect([status, headers['access-control-allow-origin']]).toEqual([200, 'https://app.example.com']);
    expect((await ask(url.replace('/mcp', '/'), { pass, message: initialize })).status).toBe(404);
  });

  it('F290 opens a session for the pass that began it, and for no other', async ({ open }) => {
    const { market, listen } = await open();
    const { key } = await market.consumer.passes.create({ name: 'other agent', tools: [market.slug] });
    const { url } = await listen(['--free', ...raw]);
    const sessionId = await beginSession(url, market.pass);
    for (const pass of [key, undefined]) {
      expect((await ask(url, { pass, sessionId, message: toCall(1, 'Oslo') })).status).toBe(404);
      expect((await ask(url, { pass, sessionId, method: 'GET' })).status).toBe(404);
      expect((await ask(url, { pass, sessionId, method: 'DELETE' })).status).toBe(404);
    }
    const mine = await ask(url, { pass: market.pass, sessionId, message: toCall(1, 'Rome') });
    expect(mine.messages).toMatchObject([{ id: 1, result: { content: [{ text: 'Rome' }] } }]);
    expect((await ask(url, { pass: market.pass, sessionId, method: 'DELETE' })).status).toBe(200);
    expect((await ask(url, { pass: market.pass, sessionId, message: toCall(2, 'Bonn') })).status).toBe(404);
    await market.untilCounted({ successes: 1, failures: 0 });
  });

  it('F257 records each of the calls of a session whose ids collide', async ({ open }) => {
    const { market, listen } = await open();
    await setCap(market);
    const { url } = await listen(['--gate', ...raw]);
    const sessionId = await beginSession(url, market.pass);
    const call = (id: unknown, city: string) => ask(url, { pass: market.pass, sessionId, message: toCall(id, city) });
    const answers = await Promise.all([call(1, 'together'), call(1, 'together'), call('1', 'together')]);
    expect(answers.map(({ messages }) => messages.map(({ id }) => id))).toEqual([[1], [1], ['1']]);
    await market.untilCounted({ successes: 3, failures: 0 });
    await untilSpent(market, 0.03);
  });

  it('F257 records a call of a session whose client hung up, and that runs to its end', async ({ open }) => {
    const { market, listen } = await open();
    await setCap(market);
    const { url } = await listen(['--gate', ...raw]);
    const sessionId = await beginSession(url, market.pass);
    const hangUp = new AbortController();
    const given = ask(url, { pass: market.pass, sessionId, message: toCall(1, 'late'), signal: hangUp.signal });
    await eventually(async () => (await heldUsd(market)) === 0.01, { withinMs: 10_000 });
    hangUp.abort();
    await expect(given).rejects.toThrow('aborted');
    await ask(url, { pass: market.pass, sessionId, method: 'DELETE' }); // now the server answers the call
    await market.untilCounted({ successes: 1, failures: 0 });
    await untilFree(market);
  });

  for (const [city, counted] of [
    ['in spite', 1],
    ['obedient', 0],
  ] as const)
    it(`F257 gives up a call of 2026 whose client hung up, and charges ${counted} for a server that is ${city}`, async ({
      open,
    }) => {
      const { market, listen } = await open();
      await setCap(market);
      const { url } = await listen(['--gate', ...raw]);
      const hangUp = new AbortController();
      const given = ask(url, { pass: market.pass, ...modernCall(city), signal: hangUp.signal });
      await eventually(async () => (await heldUsd(market)) === 0.01, { withinMs: 10_000 });
      hangUp.abort();
      await expect(given).rejects.toThrow('aborted');
      await untilFree(market);
      const { messages } = await ask(url, { pass: market.pass, ...modernCall('Oslo') });
      expect(messages).toMatchObject([{ id: 1, result: { content: [{ text: 'Oslo' }] } }]);
      await market.untilCounted({ successes: counted + 1, failures: 0 });
    });

  it('F298 gives a client that hung up what it missed, also at another proxy that shares the folder', async ({
    open,
  }) => {
    const { market, listen, spool } = await open();
    await setCap(market);
    const flags = ['--gate', '--answers', `${spool}-answers`, ...raw];
    const [one, other] = [await listen(flags), await listen(flags)];
    const hangUp = new AbortController();
    // The server answers this call only when it is given up.
    const call = { pass: market.pass, ...modernCall('in spite') };
    const given = ask(one.url, { ...call, signal: hangUp.signal });
    await eventually(async () => (await heldUsd(market)) === 0.01, { withinMs: 10_000 });
    await ask(one.url, { pass: market.pass, ...modernCall('Oslo') }); // the server has the first call by then
    hangUp.abort();
    await expect(given).rejects.toThrow('aborted');
    const kept = () => readdirSync(`${spool}-answers`).filter((file) => !file.startsWith('.'));
    await eventually(() => kept().length === 1, { withinMs: 10_000 });
    const { messages } = await ask(other.url, call);
    expect(messages).toMatchObject([{ id: 1, result: { content: [{ text: 'in spite' }] } }]);
    expect(kept()).toEqual([]);
    await market.untilCounted({ successes: 2, failures: 0 });
    await untilFree(market);
  });

  it('F298 gives a client of a session that was cut off its answer in the next session', async ({ open }) => {
    const { market, listen } = await open();
    await setCap(market);
    const { url } = await listen(['--gate', ...raw]);
    const sessionId = await beginSession(url, market.pass);
    const hangUp = new AbortController();
    const given = ask(url, { pass: market.pass, sessionId, message: toCall(1, 'late'), signal: hangUp.signal });
    await eventually(async () => (await heldUsd(market)) === 0.01, { withinMs: 10_000 });
    hangUp.abort();
    await expect(given).rejects.toThrow('aborted');
    const next = await beginSession(url, market.pass);
    const again = ask(url, { pass: market.pass, sessionId: next, message: toCall(7, 'late') }); // it waits for the first run
    await eventually(async () => (await heldUsd(market)) === 0.02, { withinMs: 10_000 });
    await ask(url, { pass: market.pass, sessionId, method: 'DELETE' }); // now the server answers the call
    expect((await again).messages).toMatchObject([{ id: 7, result: { content: [{ text: 'late' }] } }]);
    await market.untilCounted({ successes: 1, failures: 0 });
    await untilFree(market);
    await untilSpent(market, 0.01);
  });

  it('refuses what is too large, and the session goes on; one whose server says too much ends', async ({ open }) => {
    const { market, listen } = await open();
    const { pass } = market;
    const { url, child } = await listen(['--max-message-mib', '1', ...raw]);
    const sessionId = await beginSession(url, pass);
    const large = 'x'.repeat(1024 * 1024);
    expect((await ask(url, { pass, sessionId, message: toCall(1, large) })).status).toBe(413);
    const { messages } = await ask(url, { pass, sessionId, message: toCall(2, 'Oslo') });
    expect(messages).toMatchObject([{ id: 2, result: { content: [{ text: 'Oslo' }] } }]);
    const tooLarge = await ask(url, {
      pass,
      sessionId,
      message: { id: 3, method: 'tools/call', params: { name: 'weather', arguments: { city: 'large' } } },
    });
    expect(tooLarge.messages).toMatchObject([
      { id: 3, error: { message: expect.stringContaining('--max-message-mib') } },
    ]);
    expect(child.output()).toContain('a message of the server is larger than this proxy takes');
    expect((await ask(url, { pass, sessionId, message: toCall(4, 'Oslo') })).status).toBe(404);
    expect(await beginSession(url, pass)).not.toBe(sessionId);
    await market.untilCounted({ successes: 1, failures: 1 });
  });

  it('keeps to its sessions: a quarter for one pass, and those that nobody uses end', async ({ open }) => {
    const { market, listen } = await open();
    const { pass } = market;
    const { url } = await listen(['--max-sessions', '4', '--idle-seconds', '2', ...raw]);
    const sessionId = await beginSession(url, pass);
    const { status, headers } = await ask(url, { pass, message: initialize });
    expect([status, headers['retry-after']]).toEqual([503, '10']);
    const { key } = await market.consumer.passes.create({ name: 'other agent', tools: [market.slug] });
    await beginSession(url, key);
    await eventually(async () => (await ask(url, { pass, message: initialize })).status === 200, { withinMs: 15_000 });
    expect((await ask(url, { pass, sessionId, message: toCall(1, 'Oslo') })).status).toBe(404);
  });

  it('loses no call that its caller has the answer of when it is killed', async ({ open }) => {
    const { market, listen } = await open();
    await setCap(market);
    const { url, child } = await listen(['--gate', ...raw]);
    const sessionId = await beginSession(url, market.pass);
    const cities = ['Oslo', 'Rome', 'Bonn'];
    const calls = cities.map((city) => ask(url, { pass: market.pass, sessionId, message: toCall(1, city) }));
    await Promise.all(calls);
    child.signalGroup('SIGKILL');
    await child.exited;
    await listen(raw); // it finds the spool
    await market.untilCounted({ successes: 3, failures: 0 });
    await untilSpent(market, 0.03);
  });

  it('ends at Ctrl-C, says what waits, and the next one sends it', async ({ open, product, undo }) => {
    const { market, listen, spool } = await open();
    const relay = await openRelay(product.baseUrl());
    undo(() => relay.cut());
    const { url, child } = await listen(['--free', ...raw], { TOLLGATE_URL: relay.url });
    const sessionId = await beginSession(url);
    relay.cut();
    const { messages } = await ask(url, { sessionId, message: toCall(1, 'Oslo') });
    expect(messages).toMatchObject([{ result: { content: [{ text: 'Oslo' }] } }]);
    child.signal('SIGINT');
    expect(await child.exited).toEqual({ code: 0, signal: null });
    expect(child.output()).toContain(`has stopped, and 1 calls wait in ${spool}`);
    const next = await listen(['--free', ...raw]);
    await eventually(async () => (await market.builder.usage.get()).totals.successes === 1, { withinMs: 10_000 });
    next.child.signal('SIGINT');
    expect(await next.child.exited).toEqual({ code: 0, signal: null });
    expect(next.child.output()).toContain('has stopped, and no call waits');
  });
});
