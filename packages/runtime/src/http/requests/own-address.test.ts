import { describe, expect, it } from '@jest/globals';
import type { IncomingMessage } from 'node:http';
import { createOwnAddress } from './own-address.ts';

const asking = (host: string | undefined) => ({ headers: { host } }) as IncomingMessage;

describe('where a caller reaches us', () => {
  it.each(['localhost:8080', '127.0.0.1', '[::1]:8080', 'api_1.tollgate.example:443'])(
    'is the host it asked: %s',
    (host) => {
      expect(createOwnAddress(undefined)(asking(host))).toBe(`http://${host}`);
    },
  );

  it.each([undefined, '', 'a b', 'user@host', 'host/path', 'host:port', 'host#x', 'a,b'])(
    'is none made of %s',
    (host) => {
      expect(() => createOwnAddress(undefined)(asking(host))).toThrow(/Host header/);
    },
  );

  it('is PUBLIC_URL, whatever was asked', () => {
    expect(createOwnAddress('https://api.example')(asking('evil.example'))).toBe('https://api.example');
  });
});
