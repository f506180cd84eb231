import ipaddr from 'ipaddr.js';

/**
 * The network that a limit "per address" counts. The owner of an IPv6 address owns all 2⁶⁴ addresses of its /64, so the
 * /64 counts as one address. An IPv4 address written as IPv6 counts as the IPv4 address.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const plain = ipaddr.process(address);
  if (plain instanceof ipaddr.IPv4) return plain.toString();
  const network = plain.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
