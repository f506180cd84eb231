import { isIP } from 'node:net';
import { OutgoingError } from './outgoing-error.ts';

/** An address that somebody named, in the parts that a call needs. */
export interface Target {
  readonly isTls: boolean;
  /** A name, or an IP address without brackets. */
  readonly hostname: string;
  readonly isLiteral: boolean;
  readonly port: number;
  /** With the query. */
  readonly path: string;
}

/** Services that no stranger may make us talk to, such as mail at 25, listen below this port. */
const portMin = 1_024;

const defaultPorts: ReadonlyMap<string, number> = new Map([
  ['https:', 443],
  ['http:', 80],
]);

/** Reads a URL. Throws `OutgoingError` for a form that is never called. `http` is left to the judgement of its addresses. */
export function readTarget(url: string | URL): Target {
  const parsed = URL.parse(String(url));
  if (parsed === null) throw refused('The address is no URL.');
  const { protocol, hostname, username, password, pathname, search } = parsed;
  const defaultPort = defaultPorts.get(protocol);
  if (defaultPort === undefined) throw refused('The address does not begin with https://.');
  if (`${username}${password}` !== '') throw refused('The address has a user name or a password.');
  const isTls = protocol === 'https:';
  const port = parsed.port === '' ? defaultPort : Number(parsed.port);
  if (port !== 443 && port < portMin)
    throw refused(`Port ${port} is never called: use 443, or one from ${portMin} on.`);
  const plain = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return { isTls, hostname: plain, isLiteral: isIP(plain) !== 0, port, path: `${pathname}${search}` };
}

function refused(message: string): OutgoingError {
  return new OutgoingError('url', message);
}
