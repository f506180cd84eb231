import { isIPv6 } from 'node:net';

/**
 * What a limit "per address" counts by. Whoever has one IPv6 address has the other 2⁶⁴ of its /64 too, so they count as
 * one; an IPv4 address written as IPv6 is the IPv4 address.
 */
export function networkOf(address: string): string {
  const [host = ''] = address.split('%'); // fe80::1%eth0
  if (!isIPv6(host)) return host;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(host)?.[1];
  return mapped ?? `${leadingGroups(host).slice(0, 4).join(':')}::/64`;
}

function leadingGroups(host: string): string[] {
  const [head = '', tail] = host.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  return [...before, ...Array<string>(Math.max(zeros, 0)).fill('0'), ...after].map((group) =>
    group.replace(/^0+(?=.)/, '').toLowerCase(),
  );
}
