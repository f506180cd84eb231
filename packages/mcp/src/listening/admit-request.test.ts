import { describe, expect, it } from '@jest/globals';

import { hostsOf, readBearer, refuseForeign } from './admit-request.ts';

const rules = {
  hosts: ['localhost', '127.0.0.1', '[::1]', 'mcp.example.com'],
  origins: ['https://app.example.com'],
  isFree: false,
};

describe('F291 the guard of mcp-proxy --listen', () => {
  it.each([
    ['localhost:9000', undefined, undefined],
    ['127.0.0.1', undefined, undefined],
    ['[::1]:9000', undefined, undefined],
    ['LOCALHOST:9000', 'https://app.example.com', undefined],
    ['evil.example.com', undefined, 403],
    ['localhost.evil.example.com:9000', undefined, 403],
    ['evil.example.com#@localhost', undefined, 403],
    [undefined, undefined, 403],
    ['', undefined, 403],
    ['localhost:9000', 'http://evil.example.com', 403],
    ['localhost:9000', 'http://localhost:3000', undefined],
    ['127.0.0.1:9000', 'http://[::1]:3000', undefined],
    ['localhost:9000', 'http://localhost.evil.example.com', 403],
    ['mcp.example.com', 'http://localhost:3000', 403],
    ['localhost:9000', 'https://app.example.com.evil.example', 403],
    ['localhost:9000', 'null', 403],
  ])('answers a request for host %p from origin %p with %p', (host, origin, status) => {
    const headers = { ...(host !== undefined && { host }), ...(origin !== undefined && { origin }) };
    expect(refuseForeign(headers, rules)?.status).toBe(status);
  });

  it.each([
    ['Bearer tg_pass_1', { bearer: 'tg_pass_1' }],
    ['bearer  tg_pass_1', { bearer: 'tg_pass_1' }],
    [undefined, { status: 401 }],
    ['Basic dTpw', { status: 401 }],
    ['Bearer a b', { status: 401 }],
    ['Bearer ', { status: 401 }],
  ])('reads the token of %p', (authorization, read) => {
    expect(readBearer(authorization, rules)).toMatchObject(read);
  });

  it('takes no token for none only where callers without one are served', () => {
    const free = { ...rules, isFree: true };
    expect(readBearer(undefined, free)).toEqual({ bearer: undefined });
    expect(readBearer('Basic dTpw', free)).toMatchObject({ status: 401 });
  });

  it('knows the names of an address, but not those of all addresses', () => {
    expect(hostsOf('127.0.0.1')).toContain('localhost');
    expect(hostsOf('10.0.0.5')).toEqual(['10.0.0.5']);
    expect(hostsOf('fd00::5')).toEqual(['[fd00::5]']);
    expect([hostsOf('0.0.0.0'), hostsOf('::')]).toEqual([undefined, undefined]);
  });
});
