import ipaddr from 'ipaddr.js';

/**
 * What a limit "per address" counts by. Whoever has one IPv6 address has the other 2⁶⁴ of its /64 too, so they count as
 * one; an IPv4 address written as IPv6 is the IPv4 address.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const plain = ipaddr.process(address);
  if (plain instanceof ipaddr.IPv4) return plain.toString();
  const network = plain.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
