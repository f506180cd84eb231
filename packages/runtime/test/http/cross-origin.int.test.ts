import { afterEach, describe, expect, it } from '@jest/globals';
import type { Route } from '@tollgate/contracts/routes/route';
import { systemClock } from '@tollgate/kernel/clock';
import { createHttpClient } from '@tollgate/testkit/http-client';
import { createHttpServer, type HttpServer } from '../../src/http/serving/create-http-server.ts';
import { createAllowOrigins } from '../../src/http/serving/cross-origin.ts';
import { createFront } from '../../src/http/serving/front.ts';
import { sendJson } from '../../src/http/answers/send-json.ts';
import { createLogger } from '../../src/logging/create-logger.ts';

const route: Route = {
  operationId: 'listThings',
  method: 'GET',
  path: '/v1/things',
  service: 'billing',
  access: 'public',
  tag: 'Tools',
  summary: 'List things',
  responses: {},
  errors: [],
};
const page = 'https://app.example.com';
let server: HttpServer | undefined;

afterEach(async () => {
  await server?.stop();
});

/** A client of a front with these origins, whose requests carry the origin of a page. */
async function openFront(origins: string) {
  const log = createLogger({ name: 'test', level: 'silent' });
  const handle = createFront({
    routes: [route],
    log,
    clock: systemClock,
    handle: (_request, response) => sendJson(response, 200, {}),
    allowOrigins: createAllowOrigins(origins),
  });
  server = createHttpServer(handle, { host: '127.0.0.1', port: 0, log, lingerMs: 0 });
  await server.start();
  const client = createHttpClient({ baseUrl: `http://127.0.0.1:${server.address().port}` });
  return (method: string, path: string, headers: Record<string, string> = {}, origin = page) =>
    client(method, path, { headers: { origin, ...headers } });
}

const preflight = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' };
const allowedOrigin = ({ headers }: { headers: Headers }) => headers.get('access-control-allow-origin');

describe('pages of other origins', () => {
  it('may read nothing unless the operator names them: no header, and a preflight is 405', async () => {
    const ask = await openFront('');
    expect(allowedOrigin(await ask('GET', '/v1/things'))).toBeNull();
    const refused = await ask('OPTIONS', '/v1/things', preflight);
    expect([refused.status, allowedOrigin(refused)]).toEqual([405, null]);
  });

  it('may read answers and problems, with the headers that clients need, if they are named', async () => {
    const ask = await openFront(`https://other.example,${page}`);
    for (const path of ['/v1/things', '/v1/nothing']) {
      const { headers } = await ask('GET', path);
      expect(headers.get('access-control-allow-origin')).toBe(page);
      expect(headers.get('vary')).toContain('Origin');
      expect(headers.get('access-control-expose-headers')).toMatch(/Retry-After.*X-RateLimit-Remaining.*X-Request-Id/);
      expect(headers.get('access-control-allow-credentials')).toBeNull();
    }
  });

  it('may ask before they send: a preflight has methods and headers, and no body', async () => {
    const ask = await openFront(page);
    const { status, text, headers } = await ask('OPTIONS', '/v1/things', preflight);
    expect([status, text]).toEqual([204, '']);
    expect(headers.get('access-control-allow-origin')).toBe(page);
    expect(headers.get('access-control-allow-methods')).toBe('GET,HEAD,POST,PATCH,PUT,DELETE');
    expect(headers.get('access-control-allow-headers')).toContain('Idempotency-Key');
    expect(headers.get('access-control-max-age')).toBe('600');
    expect(headers.get('x-request-id')).not.toBeNull();
  });

  it('get no permission if others are named', async () => {
    const ask = await openFront(page);
    for (const origin of ['https://evil.example', 'http://app.example.com', `${page}.evil.example`, 'null']) {
      expect(allowedOrigin(await ask('GET', '/v1/things', {}, origin))).toBeNull();
      expect(allowedOrigin(await ask('OPTIONS', '/v1/things', preflight, origin))).toBeNull();
    }
  });

  it('may all read answers with `*`', async () => {
    const ask = await openFront('*');
    expect(allowedOrigin(await ask('GET', '/v1/things'))).toBe('*');
  });

  it('do not make OPTIONS a method: without a preflight it is 405', async () => {
    const ask = await openFront(page);
    const { status, headers } = await ask('OPTIONS', '/v1/things');
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});
