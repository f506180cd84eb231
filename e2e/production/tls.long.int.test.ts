import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { eventually } from '@tollgate/testkit/eventually';
import { findFreePorts } from '@tollgate/testkit/find-free-ports';
import { rawExchange } from '@tollgate/testkit/raw-http';
import { describeWithNginx } from '../../tools/start-edge.ts';
import { openMarket } from '../clients/market.ts';
import { buildGo, describeWithGo, goBuildWithinMs } from '../go-programs.ts';
import { itWith, openFolder, type Undo } from '../it-with.ts';
import { openProduct } from '../open-product.ts';
import { createAskByTls } from './ask-by-tls.ts';
import { openAuthority } from './open-authority.ts';
import { name } from './page.ts';
import { describeWithCaddy, startCaddy } from './start-caddy.ts';
import { startNginx } from './start-nginx.ts';

const wrongTokensMax = 3;
const paceMs = 25; // a key may record 100 times a second

/** Tollgate as the unit starts it, an authority whose certificates are good for so long, and a folder. */
async function openServer(shape: string, validitySeconds: number, undo: Undo) {
  const folder = openFolder(shape, undo);
  const programs = join(folder, 'programs');
  mkdirSync(programs);
  await buildGo('e2e/production/acme', 'tool', programs);
  const [httpPort = 0, tlsPort = 0, otherPort = 0] = await findFreePorts(3);
  const places = { programs, folder: join(folder, 'authority'), httpPort, tlsPort };
  const authority = await openAuthority({ ...places, validitySeconds }, undo);
  const env = {
    PUBLIC_URL: `https://${name}`,
    OPERATOR_TOKEN: `operator_${randomUUID()}`,
    TRUSTED_PROXIES: '127.0.0.1',
    WRONG_OPERATOR_TOKENS_PER_ADDRESS_PER_MINUTE: String(wrongTokensMax),
  };
  const { baseUrl } = await openProduct({ name: `${shape}-product`, env }, undo);
  const tollgate = new URL(baseUrl()).host;
  const ask = createAskByTls({ name, port: tlsPort, root: authority.root });
  return { folder, httpPort, tlsPort, otherPort, authority, tollgate, ask, market: await openMarket(baseUrl()) };
}

type Server = Awaited<ReturnType<typeof openServer>>;

describeWithGo('docs/production.md, with Pebble as its authority', () => {
  describeWithCaddy('Caddy', () => {
    const it = itWith(async (undo) => {
      const server = await openServer('caddy', 30, undo);
      await startCaddy(server, undo);
      return server;
    }, goBuildWithinMs);

    it('F385 Caddy serves Tollgate by TLS, and says who calls', (server) => expectServed(server), 120_000);

    it('F385 Caddy renews the certificate by itself, twice, and no call fails meanwhile', async (server) => {
      const calls = keepCalling(server);
      await calls.until(3, 120_000);
      await calls.stop();
    }, 180_000);
  });

  describeWithNginx('nginx with certbot', () => {
    const it = itWith(async (undo) => {
      const server = await openServer('nginx', 3_600, undo);
      return { ...server, ...(await startNginx(server, undo)) };
    }, goBuildWithinMs);

    it('F385 nginx serves Tollgate by TLS, and says who calls', (server) => expectServed(server), 120_000);

    it('F385 nginx serves the renewed certificate after the hook, twice, and no call fails meanwhile', async (server) => {
      const calls = keepCalling(server);
      for (const certificates of [1, 2]) {
        await calls.until(certificates, 10_000);
        await server.renew();
        await calls.until(certificates + 1, 10_000);
      }
      await calls.stop();
    }, 180_000);
  });
});

async function expectServed({ ask, httpPort }: Server): Promise<void> {
  const answer = await ask('/livez');
  expect(answer.status).toBe(200);
  expect(answer.headers['strict-transport-security']).toBe('max-age=31536000');
  const { body } = await ask('/.well-known/oauth-authorization-server');
  expect(JSON.parse(body)).toMatchObject({ issuer: `https://${name}` });
  const plainly = `GET /docs?a=1 HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`;
  const isSentToTls = async () => {
    const { text } = await rawExchange(httpPort, plainly);
    expect(text).toMatch(/^HTTP\/1.1 308 /);
    expect(text).toContain(`\r\nLocation: https://${name}/docs?a=1\r\n`);
    return true;
  };
  await eventually(isSentToTls, { withinMs: 5_000 }); // a worker from before nginx's reload may answer at first
  const guess = (from: string, claimed: string) => {
    const headers = { authorization: `Bearer operator_${randomUUID()}`, 'x-forwarded-for': claimed };
    return ask('/v1/operator/tokens', { from, headers });
  };
  const statuses: number[] = [];
  for (let at = 0; at <= wrongTokensMax; at += 1) statuses.push((await guess('127.0.0.2', `192.0.2.${at}`)).status);
  expect(statuses).toEqual([401, 401, 401, 429]); // one caller, whatever it claims
  expect((await guess('127.0.0.3', '192.0.2.1')).status).toBe(401);
}

/** Records calls in two lines at once, each by a new connection, until one fails or `stop`. */
function keepCalling({ ask, market }: Server) {
  const serials = new Set<string>();
  let isStopped = false;
  const headers = { authorization: `Bearer ${market.pass}`, 'content-type': 'application/json' };
  const keepOn = async (): Promise<number> => {
    let recorded = 0;
    for (; !isStopped; recorded += 1) {
      const body = JSON.stringify({ tool_id: market.slug, idempotency_key: randomUUID() });
      const answer = await ask('/v1/events', { method: 'POST', headers, body });
      if (answer.status !== 201) throw new Error(`a call was answered ${answer.status}: ${answer.body}`);
      serials.add(answer.serial);
      await sleep(paceMs);
    }
    return recorded;
  };
  const lines = Promise.all([keepOn(), keepOn()]);
  lines.catch(() => undefined); // `stop` throws it
  return {
    /** The serial numbers of the certificates so far. Rejects once a call has failed. */
    until: (count: number, withinMs: number) =>
      Promise.race([eventually(() => serials.size >= count, { withinMs }), lines]),
    /** Throws if a call has failed or is not counted once. */
    async stop() {
      isStopped = true;
      const [first, second] = await lines;
      expect(first + second).toBeGreaterThan(20);
      await market.untilCounted({ successes: first + second, failures: 0 });
    },
  };
}
