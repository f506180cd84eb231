import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { documentationAssets } from '@tollgate/contracts/operation/health';
import { serveHttp } from '@tollgate/testkit/http-server';
import { createApiDocs } from './api-docs.ts';

const answerApiDocs = createApiDocs({ version: '1.2.3' });
let server: Awaited<ReturnType<typeof serveHttp>>;
const get = (path: string, request?: RequestInit) => fetch(server.baseUrl + path, request);

beforeAll(async () => {
  server = await serveHttp((request, response) => {
    if (!answerApiDocs(request, response)) response.writeHead(404).end();
  });
});
afterAll(() => server.close());

describe('the description of the API', () => {
  it('is served as OpenAPI 3.1, with the version that it was given', async () => {
    const answer = await get('/openapi.json');
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await answer.json()).toMatchObject({ openapi: '3.1.0', info: { version: '1.2.3' } });
  });

  it('is where the base address leads programs, while it leads browsers to the console', async () => {
    const leadsTo = async (accept: string) => {
      const { status, headers } = await get('', { redirect: 'manual', headers: { accept } });
      return [status, headers.get('location'), headers.get('vary')];
    };
    expect(await leadsTo('*/*')).toEqual([302, '/docs', 'accept']);
    expect(await leadsTo('text/html,application/xhtml+xml,*/*;q=0.8')).toEqual([302, '/app', 'accept']);
    expect((await get('')).url).toBe(`${server.baseUrl}/docs`);
  });

  it('is a page whose files all come from here', async () => {
    const page = await (await get('/docs')).text();
    const links = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => link ?? '');
    expect(links).toHaveLength(5);
    for (const link of links) expect((await get(link)).status).toBe(200);
    expect(page).not.toMatch(/https?:/);
  });

  it('has every file that the contracts name', async () => {
    for (const name of documentationAssets) expect((await get(`/docs/${name}`)).status).toBe(200);
  });

  it('lets the page load nothing from elsewhere and run nothing inline', async () => {
    const answer = await get('/docs');
    const policy = answer.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(await answer.text()).not.toMatch(/<script(?![^>]*src=)|<style|\son\w+=|style=/);
  });

  it('is not sent again while it is the same', async () => {
    const etag = (await get('/openapi.json')).headers.get('etag') ?? '';
    const again = await get('/openapi.json', { headers: { 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it('answers HEAD without a body, and leaves all else to others', async () => {
    const head = await get('/docs', { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect((await get('/docs/../package.json')).status).toBe(404);
    expect((await get('/docs/absolute-path.js')).status).toBe(404);
    expect((await get('/docs', { method: 'POST' })).status).toBe(404);
  });
});
