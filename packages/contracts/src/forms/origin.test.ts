import { describe, expect, it } from '@jest/globals';
import { canonicalOrigin } from './origin.ts';

describe('an origin that may frame', () => {
  it.each([
    ['https://app.example.com', 'https://app.example.com'],
    ['https://APP.example.com/', 'https://app.example.com'],
    ['https://app.example.com:443', 'https://app.example.com'],
    ['https://app.example.com:8443', 'https://app.example.com:8443'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['http://localhost:3000', 'http://localhost:3000'],
  ])('is %s, as %s', (given, origin) => {
    expect(canonicalOrigin(given)).toBe(origin);
  });

  it.each([
    'https://*.example.com',
    'https://a;script-src.example',
    "https://'none'.example",
    'https://a,b.example',
    'https://app.example.com/path',
    'https://app.example.com/?',
    'https://app.example.com/#',
    'https://ada@app.example.com',
    'http://app.example.com',
    'http://[::1]:3000',
    'data:text/html,x',
    'null',
    '*',
    'https:',
    '',
    `https://${'a'.repeat(250)}.example`,
  ])('F340 is never %s, which would say something else in a policy', (given) => {
    expect(canonicalOrigin(given)).toBeUndefined();
  });
});
