import { describe, expect, it } from '@jest/globals';
import { returnUrlSchema } from './return-url.ts';

describe('an address to return to', () => {
  it.each([
    ['https://example.com', 'https://example.com/'],
    ['HTTPS://Example.COM:443/a?b=c#d', 'https://example.com/a?b=c#d'],
    ['https://example.com/é "<x>', undefined],
    ['https://example.com/é"<x>', 'https://example.com/%C3%A9%22%3Cx%3E'],
    ['https://münchen.example/', 'https://xn--mnchen-3ya.example/'],
    ['http://localhost:3000/', 'http://localhost:3000/'],
    ['http://2130706433/', 'http://127.0.0.1/'],
    ['http://[::1]:8080/x', 'http://[::1]:8080/x'],
    ['https://[2001:db8::1]/', 'https://[2001:db8::1]/'],
    ['http://localhost./', undefined],
    ['http://[::2]/', undefined],
    ['https://user@example.com/', undefined],
    ['https:/example.com/', undefined],
    ['https:///path', undefined],
    ['http:///localhost/', undefined],
    ['https://a;b.example/', undefined],
    ["https://a'b.example/", undefined],
    [' https://example.com', undefined],
    ['https://exam\tple.com', undefined],
    ['https:\\\\example.com', undefined],
    ['data:text/html,hi', undefined],
    ['javascript:alert(1)', undefined],
    ['ftp://example.com', undefined],
    ['http://example.com', undefined],
    ['http://localhost.evil.example', undefined],
    ['http://127.0.0.1.nip.io', undefined],
    ['https://user:secret@example.com', undefined],
    ['https://example.com\\@evil.example', undefined],
    ['https:example.com', undefined],
    ['//example.com', undefined],
    ['/relative', undefined],
    ['', undefined],
    [12, undefined],
    [null, undefined],
  ])('%j: %j', (given, href) => {
    expect(returnUrlSchema.safeParse(given).data).toBe(href);
  });

  it('may have 2,048 characters, as it is sent', () => {
    const address = (length: number) => 'https://example.com/'.padEnd(length, 'a');
    expect(returnUrlSchema.safeParse(address(2_048)).success).toBe(true);
    expect(returnUrlSchema.safeParse(address(2_049)).success).toBe(false);
    expect(returnUrlSchema.safeParse(`${address(2_043)}é`).success).toBe(false);
  });
});
