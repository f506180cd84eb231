import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Where an IP address leads: to the public Internet, to this machine, or to a place that is never called. */
export type Reach = 'public' | 'loopback' | 'elsewhere';

/** IPv6 addresses are given out of 2000::/3 alone. ipaddr.js calls many others `unicast`, such as `::10.0.0.1`. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
const sixToFour = ipaddr.IPv6.parseCIDR('2002::/16');

/** Azure's machines find the host that runs them at this address, which is public by its number. */
const azureHost = '168.63.129.16';

/** Takes an address as sockets write it. Any other text leads nowhere. */
export function judgeAddress(address: string): Reach {
  if (isIP(address) === 0 || address.includes('%')) return 'elsewhere'; // a zone names one of our own links
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv4) return judgeIPv4(parsed);
  const carried = carriedIPv4(parsed);
  if (carried !== undefined) return judgeIPv4(carried);
  if (parsed.range() === 'loopback') return 'loopback';
  return parsed.range() === 'unicast' && parsed.match(globalUnicast) ? 'public' : 'elsewhere';
}

function judgeIPv4(address: ipaddr.IPv4): Reach {
  if (address.range() === 'loopback') return 'loopback';
  return address.range() === 'unicast' && address.toString() !== azureHost ? 'public' : 'elsewhere';
}

/** The IPv4 address to which a gateway on the way would take the packets of an IPv6 address. */
function carriedIPv4(address: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  const bytes = address.toByteArray();
  if (address.match(nat64)) return new ipaddr.IPv4(bytes.slice(12));
  return address.match(sixToFour) ? new ipaddr.IPv4(bytes.slice(2, 6)) : undefined;
}
