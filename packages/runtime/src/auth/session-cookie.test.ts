import { ServerResponse, type IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { AppError } from '@tollgate/kernel/app-error';
import { createSessionCookie } from './session-cookie.ts';

const https = createSessionCookie('https://tollgate.example/app');
const plain = createSessionCookie(undefined);
const lan = createSessionCookie('http://tollgate.lan');

const asked = (headers: Readonly<Record<string, string>>) => ({ headers });
const answer = () => new ServerResponse({ method: 'GET' } as IncomingMessage); // the method is all that it reads

function accepts(cookie: typeof https, headers: Readonly<Record<string, string>>): boolean {
  try {
    cookie.requireOwnPage(asked(headers));
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'forbidden') return false;
    throw error;
  }
}

describe('the cookie of a session', () => {
  it('belongs to the host alone over https, and is neither sent abroad nor shown to a script', () => {
    const response = answer();
    https.set(response, 'secret');
    expect(response.getHeader('set-cookie')).toBe(
      '__Host-tollgate=secret; Max-Age=7776000; Path=/; HttpOnly; SameSite=Strict; Secure',
    );
  });

  it('has a plain name over http, which browsers accept without Secure', () => {
    const response = answer();
    plain.set(response, 'secret');
    plain.clear(response);
    expect(response.getHeader('set-cookie')).toEqual([
      'tollgate=secret; Max-Age=7776000; Path=/; HttpOnly; SameSite=Strict',
      'tollgate=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict',
    ]);
  });

  it.each([
    [https, 'a=b; __Host-tollgate=x=y; c', 'x=y'],
    [https, 'tollgate=x', undefined],
    [https, 'x__Host-tollgate=x', undefined],
    [plain, 'tollgate=x', 'x'],
    [plain, '__Host-tollgate=x', undefined],
    [plain, 'tollgate=planted; tollgate=x', undefined],
    [lan, 'tollgate=x', 'x'],
  ])('F337 is read by its own name, once: %#', (cookie, header, expected) => {
    expect(cookie.read(asked({ host: 'localhost:8080', cookie: header }))).toBe(expected);
  });

  it.each([[plain], [lan]])('F337 counts over http on this machine alone: %#', (cookie) => {
    for (const host of ['localhost', '127.0.0.1:8080', '[::1]:8080'])
      expect(cookie.read(asked({ host, cookie: 'tollgate=x' }))).toBe('x');
    for (const host of ['tollgate.lan', '10.0.0.7', 'localhost.example.com', '', 'a b'])
      expect(cookie.read(asked({ host, cookie: 'tollgate=x' }))).toBeUndefined();
  });
});

describe('F337 a page of our own', () => {
  it('over https has the origin of PUBLIC_URL, whatever host a request names', () => {
    expect(accepts(https, { host: 'localhost', origin: 'https://tollgate.example' })).toBe(true);
    for (const origin of ['http://tollgate.example', 'https://evil.example', 'https://a.tollgate.example', 'null'])
      expect(accepts(https, { host: 'tollgate.example', origin })).toBe(false);
    expect(accepts(https, { host: 'localhost', origin: 'http://localhost' })).toBe(false);
  });

  it('over http has the host that was asked, on this machine', () => {
    expect(accepts(plain, { host: 'localhost:8080', origin: 'http://localhost:8080' })).toBe(true);
    expect(accepts(plain, { host: '[::1]:8080', origin: 'http://[::1]:8080' })).toBe(true);
    for (const origin of ['http://localhost:3000', 'http://localhost', 'http://127.0.0.1:8080', 'null', ''])
      expect(accepts(plain, { host: 'localhost:8080', origin })).toBe(false);
    expect(accepts(plain, { host: 'evil.example', origin: 'http://evil.example' })).toBe(false);
  });

  it('says its origin, and no other site where the browser says it', () => {
    const own = { host: 'localhost', origin: 'http://localhost' };
    expect(accepts(plain, { host: 'localhost' })).toBe(false);
    expect(accepts(plain, { ...own, 'sec-fetch-site': 'same-origin' })).toBe(true);
    for (const site of ['cross-site', 'same-site', 'none'])
      expect(accepts(plain, { ...own, 'sec-fetch-site': site })).toBe(false);
  });
});
