import { expect, it } from '@jest/globals';
import { toTools, toUpstream } from './mcp-proxy.ts';

it('meters all tools under one slug, or those that are named', () => {
  expect(toTools(['weather'])).toBe('weather');
  const some = toTools(['forecast=weather', 'history=archive']);
  if (typeof some === 'string') throw new Error('one slug for all');
  expect(['forecast', 'history', 'ping'].map(some)).toEqual(['weather', 'archive', undefined]);
  expect(() => toTools(['weather', 'history=archive'])).toThrow('--tool weather stands for all tools');
});

it('hands a command everything but what is meant for Tollgate', () => {
  const environment = { PATH: '/bin', TOLLGATE_KEY: 'pass', TOLLGATE_API_KEY: 'key' };
  expect(toUpstream(['node', 'server.js'], [], environment)).toEqual({
    command: 'node',
    args: ['server.js'],
    env: { PATH: '/bin' },
  });
});

it('reads the headers of an address from variables', () => {
  const url = new URL('https://weather.example.com/mcp');
  const headers = { Authorization: 'Bearer x' };
  expect(toUpstream([url.href], ['Authorization=TOKEN'], { TOKEN: 'Bearer x' })).toEqual({ url, headers });
  expect(() => toUpstream([url.href], ['Authorization=TOKEN'], {})).toThrow('the variable TOKEN is not set');
  expect(() => toUpstream(['node'], ['A=B'], { B: '1' })).toThrow('--header is for a server over HTTP');
  expect(() => toUpstream([url.href, 'more'], [], {})).toThrow('takes no further arguments');
});
