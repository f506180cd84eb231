import { expect, it } from '@jest/globals';
import { toListenAddress } from './to-listen-address.ts';

it.each([
  ['9000', '127.0.0.1', 9000],
  ['localhost:9000', 'localhost', 9000],
  ['0.0.0.0:0', '0.0.0.0', 0],
  ['[::1]:9000', '::1', 9000],
])('reads the address %s', (word, host, port) => {
  expect(toListenAddress(word)).toEqual({ host, port });
});

it.each(['', 'localhost', 'localhost:', ':9000', '::1:9000', '127.0.0.1:70000', 'http://127.0.0.1:9000'])(
  'refuses the address %p',
  (word) => expect(() => toListenAddress(word)).toThrow('--listen wants a host and a port'),
);
