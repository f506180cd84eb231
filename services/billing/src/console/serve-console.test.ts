import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AppError } from '@tollgate/kernel/app-error';
import { serveHttp } from '@tollgate/testkit/http-server';
import { createConsole } from './serve-console.ts';

const page = '<meta property="csp-nonce" nonce="__CSP_NONCE__"><script src="/app/assets/a-1.js" nonce="__CSP_NONCE__">';
const script = `console.log('${'a script '.repeat(50)}')`;
const embedId = '01989f2e-7c1a-7b3a-9f00-4be1d9a2c0de';
let folder: string;
let server: Awaited<ReturnType<typeof serveHttp>>;
const get = (path: string, request?: RequestInit) => fetch(server.baseUrl + path, request);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'console-'));
  mkdirSync(join(folder, 'built/assets'), { recursive: true });
  writeFileSync(join(folder, 'built/index.html'), page);
  writeFileSync(join(folder, 'built/embed.html'), page.replace('a-1', 'e-1'));
  writeFileSync(join(folder, 'built/secret.txt'), 'not for browsers');
  writeFileSync(join(folder, 'built/assets/a-1.js'), script);
  const framersOf = async (id: string) => (id === embedId ? ['https://app.example.com', 'http://127.0.0.1:3000'] : []);
  const answerConsole = createConsole({ folder: join(folder, 'built'), framersOf });
  const missing = (error: unknown) => (error instanceof AppError && error.code === 'not_found' ? 404 : 500);
  server = await serveHttp((request, response) => {
    try {
      if (answerConsole(request, response) === false) response.writeHead(418).end();
    } catch (error) {
      response.writeHead(missing(error)).end();
    }
  });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

describe('the console', () => {
  it.each(['/app', '/app/', '/app/passes', '/app/calls/0199a3b2?x=1'])('is the page at %s', async (path) => {
    const answer = await get(path);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await answer.text()).toContain('/app/assets/a-1.js');
  });

  it('F341 has a nonce for each answer, which no cache keeps', async () => {
    const nonces = [];
    for (const answer of [await get('/app'), await get('/app')]) {
      const [, inPolicy] = /'nonce-([^']+)'/.exec(answer.headers.get('content-security-policy') ?? '') ?? [];
      const inPage = [...(await answer.text()).matchAll(/nonce="([^"]+)"/g)].map(([, nonce]) => nonce);
      expect([inPage, answer.headers.get('cache-control')]).toEqual([[inPolicy, inPolicy], 'no-store']);
      nonces.push(inPolicy);
    }
    expect(nonces[0]).toMatch(/^[\w+/]{22}==$/);
    expect(nonces[0]).not.toBe(nonces[1]);
  });

  it('F341 asks this server alone, runs nothing inline, and stands in no frame', async () => {
    const policy = (await get('/app')).headers.get('content-security-policy') ?? '';
    expect(policy).not.toMatch(/unsafe|https?:|\*|strict-dynamic/);
    for (const part of ["default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"]) {
      expect(policy.split('; ')).toContain(part);
    }
  });

  const framersAt = async (path: string) =>
    /frame-ancestors ([^;]+)/.exec((await get(path)).headers.get('content-security-policy') ?? '')?.[1];

  it('F340 lets the origins of an embed frame its page', async () => {
    expect(await framersAt(`/app/embed/${embedId}`)).toBe('https://app.example.com http://127.0.0.1:3000');
    expect(await (await get(`/app/embed/${embedId}`)).text()).toContain('/app/assets/e-1.js');
  });

  it.each([
    '/app/embed/01989f2e-7c1a-7b3a-9f00-000000000000',
    '/app/embed/no-uuid',
    `/app/embed/${embedId}/more`,
    `/app/embed/%2e%2e/${embedId}`,
    '/app/embed',
    '/app/sign-in',
    '/app/keys',
    `/app/invoices/${embedId}`,
  ])('F340 lets nobody frame %s', async (path) => {
    expect(await framersAt(path)).toBe("'none'");
  });

  it('has files that are kept for ever, since their names change with them', async () => {
    const answer = await get('/app/assets/a-1.js');
    expect([answer.headers.get('cache-control'), answer.headers.get('content-type'), await answer.text()]).toEqual([
      'public, max-age=31536000, immutable',
      'text/javascript; charset=utf-8',
      script,
    ]);
  });

  it('sends its files compressed to who takes that, and plain to others', async () => {
    const sizeFor = async (encoding: string) => {
      const { headers } = await get('/app/assets/a-1.js', { headers: { 'accept-encoding': encoding }, method: 'HEAD' });
      return [
        headers.get('content-encoding'),
        Number(headers.get('content-length')) < script.length,
        headers.get('vary'),
      ];
    };
    expect(await sizeFor('gzip, br')).toEqual(['gzip', true, 'accept-encoding']);
    expect(await sizeFor('identity')).toEqual([null, false, 'accept-encoding']);
  });

  it.each(['no-such.js', '../index.html', '..%2Fsecret.txt', '%2e%2e/secret.txt', ''])(
    'has no file %s beside those of its folder',
    async (name) => {
      const answer = await get(`/app/assets/${name}`);
      expect(await answer.text()).not.toContain('not for browsers');
      expect([200, 404]).toContain(answer.status); // 200: a client has taken the dots away, and asks for a page
    },
  );

  it('leaves all else to others', async () => {
    for (const [path, method] of [
      ['/apple', 'GET'],
      ['/v1/tools', 'GET'],
      ['/app', 'POST'],
    ] as const) {
      expect((await get(path, { method })).status).toBe(418);
    }
  });

  it('says that it is not built where it is not', () => {
    const answerConsole = createConsole({ folder: join(folder, 'nowhere'), framersOf: async () => [] });
    const asked = { method: 'GET', url: '/app', headers: {} } as Parameters<typeof answerConsole>[0];
    expect(() => answerConsole(asked, {} as Parameters<typeof answerConsole>[1])).toThrow('The console is not built');
  });
});
