import { describe, expect, it } from '@jest/globals';
import { judgeAddress, type Reach } from './judge-address.ts';
import { readTarget } from './read-target.ts';

/** Spellings as a stranger may write them, and where the parsed host leads. */
const spellings: readonly (readonly [host: string, reach: Reach])[] = [
  ['8.8.8.8', 'public'],
  ['1.1.1.1', 'public'],
  ['0x08080808', 'public'],
  ['134744072', 'public'],
  ['[2001:4860:4860::8888]', 'public'],
  ['[2606:4700::1111]', 'public'],
  ['[::ffff:8.8.8.8]', 'public'],
  ['[64:ff9b::8.8.8.8]', 'public'],
  ['[2002:808:808::1]', 'public'],
  ['127.0.0.1', 'loopback'],
  ['127.1', 'loopback'],
  ['127.255.255.254', 'loopback'],
  ['0x7f.0.0.1', 'loopback'],
  ['0x7f000001', 'loopback'],
  ['2130706433', 'loopback'],
  ['017700000001', 'loopback'],
  ['0177.0.0.01', 'loopback'],
  ['127.0.0.1.', 'loopback'],
  ['１２７.０.０.１', 'loopback'],
  ['127。0。0。1', 'loopback'],
  ['%31%32%37.0.0.1', 'loopback'],
  ['[::1]', 'loopback'],
  ['[0:0:0:0:0:0:0:1]', 'loopback'],
  ['[::ffff:127.0.0.1]', 'loopback'],
  ['[::ffff:7f00:1]', 'loopback'],
  ['[64:ff9b::7f00:1]', 'loopback'],
  ['[2002:7f00:1::]', 'loopback'],
  ['0.0.0.0', 'elsewhere'],
  ['0', 'elsewhere'],
  ['0.1.2.3', 'elsewhere'],
  ['10.0.0.1', 'elsewhere'],
  ['10.1', 'elsewhere'],
  ['012.0.0.1', 'elsewhere'],
  ['172.16.0.1', 'elsewhere'],
  ['172.31.255.255', 'elsewhere'],
  ['192.168.1.1', 'elsewhere'],
  ['3232235777', 'elsewhere'],
  ['100.64.0.1', 'elsewhere'],
  ['100.100.100.200', 'elsewhere'],
  ['169.254.169.254', 'elsewhere'],
  ['0xa9fea9fe', 'elsewhere'],
  ['168.63.129.16', 'elsewhere'],
  ['192.0.0.192', 'elsewhere'],
  ['192.0.2.1', 'elsewhere'],
  ['192.88.99.1', 'elsewhere'],
  ['198.18.0.1', 'elsewhere'],
  ['198.51.100.1', 'elsewhere'],
  ['203.0.113.1', 'elsewhere'],
  ['224.0.0.1', 'elsewhere'],
  ['240.0.0.1', 'elsewhere'],
  ['255.255.255.255', 'elsewhere'],
  ['[::]', 'elsewhere'],
  ['[::127.0.0.1]', 'elsewhere'],
  ['[::10.0.0.1]', 'elsewhere'],
  ['[::ffff:10.0.0.1]', 'elsewhere'],
  ['[::ffff:169.254.169.254]', 'elsewhere'],
  ['[::ffff:0:127.0.0.1]', 'elsewhere'],
  ['[64:ff9b::10.0.0.1]', 'elsewhere'],
  ['[64:ff9b::a9fe:a9fe]', 'elsewhere'],
  ['[64:ff9b:1::10.0.0.1]', 'elsewhere'],
  ['[2002:a00:1::1]', 'elsewhere'],
  ['[2001::1]', 'elsewhere'],
  ['[2001:db8::1]', 'elsewhere'],
  ['[3fff::1]', 'elsewhere'],
  ['[4000::1]', 'elsewhere'],
  ['[100::1]', 'elsewhere'],
  ['[5f00::1]', 'elsewhere'],
  ['[fc00::1]', 'elsewhere'],
  ['[fd00:ec2::254]', 'elsewhere'],
  ['[fe80::1]', 'elsewhere'],
  ['[fec0::1]', 'elsewhere'],
  ['[ff02::1]', 'elsewhere'],
];

describe('F310 an address that a stranger names', () => {
  it('F310 has at least 60 spellings here, each once', () => {
    expect(new Set(spellings.map(([host]) => host)).size).toBe(spellings.length);
    expect(spellings.length).toBeGreaterThanOrEqual(60);
  });

  it('F310 holds addresses outside of 2000::/3 for no public ones, though ipaddr.js calls them unicast', () => {
    expect(['4000::1', '5f00::1', '::10.0.0.1'].map(judgeAddress)).toEqual(['elsewhere', 'elsewhere', 'elsewhere']);
  });

  it.each(spellings)('F310 %s leads to %s', (host, reach) => {
    const target = readTarget(`https://${host}/mcp`);
    expect([target.isLiteral, judgeAddress(target.hostname)]).toEqual([true, reach]);
  });

  it.each(['', 'localhost', '127.0.0.1:80', 'fe80::1%eth0', '::1%lo', '8.8.8.8/32', ' 8.8.8.8', '8.8.8.8\n'])(
    'F310 %j is no address of a socket',
    (text) => {
      expect(judgeAddress(text)).toBe('elsewhere');
    },
  );

  it.each([
    'ftp://example.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'gopher://example.com:1024/',
    'https://user@example.com/',
    'https://user:word@example.com/',
    'https://:word@example.com/',
    'https://example.com:22/',
    'https://example.com:80/',
    'https://example.com:0/',
    'https://example.com:1023/',
    'http://example.com/',
    'https://',
    'https://[fe80::1%25eth0]/',
    'https://1.2.3.4.5/',
    'https://256.1.1.1/',
    'example.com',
    '//example.com/',
    '',
  ])('F310 %j is never called', (url) => {
    expect(() => readTarget(url)).toThrow(expect.objectContaining({ reason: 'url' }));
  });

  it('F310 reads a name, its port and its query', () => {
    const target = readTarget('https://MCP.Example.com:8443/a/../b?c=d#e');
    expect(target).toEqual({ isTls: true, hostname: 'mcp.example.com', isLiteral: false, port: 8_443, path: '/b?c=d' });
  });
});
