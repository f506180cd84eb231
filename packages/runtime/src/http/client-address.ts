import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv4 } from 'node:net';

/** Whose `X-Forwarded-For` is believed. */
export interface TrustedProxies {
  includes(address: string): boolean;
}

export const noTrustedProxies: TrustedProxies = { includes: () => false };

/** From TRUSTED_PROXIES: addresses and CIDR ranges, comma-separated. Throws when one is neither. */
export function createTrustedProxies(text: string): TrustedProxies {
  const entries = text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  if (entries.length === 0) return noTrustedProxies;
  const list = new BlockList();
  for (const entry of entries) addEntry(list, entry);
  return { includes: (address) => isIP(address) !== 0 && list.check(address, familyOf(address)) };
}

/**
 * The nearest address that no trusted proxy vouches for: the header is read from its end, since each proxy appends and
 * whatever the client wrote itself stands in front.
 */
export function clientAddressFrom(request: IncomingMessage, trusted: TrustedProxies): string {
  let address = toPlainAddress(request.socket.remoteAddress ?? '');
  const forwarded = request.headers['x-forwarded-for'];
  if (forwarded === undefined || !trusted.includes(address)) return address;
  const hops = (Array.isArray(forwarded) ? forwarded.join(',') : forwarded).split(',');
  for (const hop of hops.toReversed()) {
    const next = toPlainAddress(hop.trim());
    if (isIP(next) === 0) return address;
    address = next;
    if (!trusted.includes(address)) return address;
  }
  return address;
}

function addEntry(list: BlockList, entry: string): void {
  const [address = '', prefix, ...rest] = entry.split('/');
  const bitsMax = isIPv4(address) ? 32 : 128;
  const bits = prefix === undefined ? bitsMax : Number(prefix);
  const isRange = prefix === undefined || /^\d{1,3}$/.test(prefix);
  if (isIP(address) === 0 || !isRange || bits > bitsMax || rest.length > 0) {
    throw new Error(`${JSON.stringify(entry)} is neither an IP address nor a CIDR range`);
  }
  list.addSubnet(address, bits, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv4(address) ? 'ipv4' : 'ipv6';
}

/** A dual-stack socket shows IPv4 peers as ::ffff:192.0.2.1. */
function toPlainAddress(address: string): string {
  return address.startsWith('::ffff:') && isIPv4(address.slice(7)) ? address.slice(7) : address;
}
