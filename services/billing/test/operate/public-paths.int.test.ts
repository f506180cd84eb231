import { describe, expect, it } from '@jest/globals';
import { useBilling } from '../support/start-billing.ts';

const billing = useBilling();

describe('paths that nobody has', () => {
  it.each([
    '/',
    '/v1',
    '/v1/tools/',
    '/v1/nothing',
    '/v2/tools',
    '/V1/tools',
    '/v1/billing/nothing',
    '/docs/../etc/passwd',
    '/favicon.ico',
  ])('answer a 404 problem with and without a credential: %s', async (path) => {
    const { token } = await billing.newAccount();
    for (const credential of [{}, { token }]) {
      const answer = await billing.send('GET', path, { ...credential, headers: { 'x-request-id': 'mine-7' } });
      expect(answer.status).toBe(404);
      expect(answer.headers.get('content-type')).toBe('application/problem+json');
      expect(answer.headers.get('x-request-id')).toBe('mine-7');
      expect(answer.body).toMatchObject({ code: 'not_found', status: 404, request_id: 'mine-7' });
    }
  });

  it('answer 400 when they are no paths', async () => {
    expect(await billing.send('GET', '/v1/tools/%ff')).toMatchObject({
      status: 400,
      body: { code: 'invalid_request' },
    });
  });
});

describe('health', () => {
  it('says that the process lives and what it can reach', async () => {
    expect(await billing.send('GET', '/livez')).toMatchObject({ status: 200, body: { status: 'ok' } });
    const ready = await billing.send('GET', '/readyz?verbose');
    expect(ready).toMatchObject({
      status: 200,
      body: { status: 'ok', checks: { catalogue: 'ok', credentials: 'ok' } },
    });
  });
});

describe('the description of the API', () => {
  it('is served to everybody, as the contracts make it', async () => {
    const { status, body } = await billing.send('GET', '/openapi.json');
    expect(status).toBe(200);
    expect(body).toMatchObject({ openapi: '3.1.0', info: { title: 'Tollgate', version: '0.1.0' } });
  });

  it('can be browsed: the page and each file that it loads, from here alone', async () => {
    const page = await billing.send('GET', '/docs');
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const files = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file = '']) => file);
    expect(files.length).toBeGreaterThan(3);
    for (const file of files) expect(await billing.send('GET', file)).toMatchObject({ status: 200 });
  });

  it('has no other files', async () => {
    expect(await billing.send('GET', '/docs/passwd')).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });
});
