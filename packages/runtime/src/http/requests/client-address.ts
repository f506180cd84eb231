import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import proxyAddr from 'proxy-addr';

/** The peers whose `X-Forwarded-For` is believed. */
export interface TrustedProxies {
  includes(address: string): boolean;
}

export const noTrustedProxies: TrustedProxies = { includes: () => false };

type Range = ReturnType<typeof ipaddr.parseCIDR>;

/** Reads TRUSTED_PROXIES: addresses and CIDR ranges, comma-separated. Throws for an entry that is neither. */
export function createTrustedProxies(text: string): TrustedProxies {
  const entries = text.split(',').map((entry) => entry.trim());
  const ranges = entries.filter((entry) => entry !== '').map(toRange);
  return {
    includes(address) {
      if (isIP(address) === 0) return false;
      const plain = ipaddr.process(address);
      return ranges.some((range) => range[0].kind() === plain.kind() && plain.match(range));
    },
  };
}

/**
 * The nearest address that is no trusted proxy's. The header is read from its end: each proxy appends an entry, and entries
 * of the client stand in front. An entry that is no address ends the reading.
 */
export function clientAddressFrom(request: IncomingMessage, trusted: TrustedProxies): string {
  if (request.headers['x-forwarded-for'] === undefined) return toPlainAddress(request.socket.remoteAddress ?? '');
  const hops = proxyAddr.all(request, (address) => trusted.includes(address));
  const invalidAt = hops.findIndex((hop) => isIP(hop) === 0);
  return toPlainAddress((invalidAt < 0 ? hops : hops.slice(0, invalidAt)).at(-1) ?? '');
}

/** Stricter than the library, which also takes 10.1, 0x0a000001 and a netmask. */
function toRange(entry: string): Range {
  const [address = '', bits, ...rest] = entry.split('/');
  const isRange = bits === undefined || /^\d{1,3}$/.test(bits);
  const bitsMax = isIP(address) === 4 ? 32 : 128;
  if (isIP(address) === 0 || !isRange || Number(bits ?? 0) > bitsMax || rest.length > 0) {
    throw new Error(`${JSON.stringify(entry)} is neither an IP address nor a CIDR range`);
  }
  return ipaddr.parseCIDR(`${address}/${bits ?? bitsMax}`);
}

/** A dual-stack socket shows IPv4 peers as ::ffff:192.0.2.1. */
function toPlainAddress(address: string): string {
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
}
