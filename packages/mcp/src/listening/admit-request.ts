import type { IncomingHttpHeaders } from 'node:http';

export interface AdmissionRules {
  /** Names of hosts without a port, as a URL has them: `localhost`, `[::1]`. */
  readonly hosts: readonly string[];
  /** Origins as browsers send them: `https://app.example.com`. */
  readonly origins: readonly string[];
  /** Whether callers without a bearer token are served. */
  readonly isFree: boolean;
}

/** A request that is not served: the status, and a sentence for its sender. */
export interface HttpRefusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const tokenMissing: HttpRefusal = {
  status: 401,
  message: 'This server is paid per call. Send a Tollgate pass as the bearer token.',
  headers: { 'www-authenticate': 'Bearer' },
};

export const tokenRefused: HttpRefusal = {
  status: 401,
  message: 'The bearer token is no live Tollgate pass.',
  headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
};

/**
 * Refuses what no client of this server sends. A page of a stranger may let its own name lead to this address (DNS
 * rebinding): its requests then name a foreign host, and a browser adds the origin to them. Pages of this machine may ask it.
 */
export function refuseForeign(
  { host, origin }: Pick<IncomingHttpHeaders, 'host' | 'origin'>,
  rules: AdmissionRules,
): HttpRefusal | undefined {
  const name = hostnameOf(host);
  if (name === undefined || !rules.hosts.includes(name))
    return { status: 403, message: 'This host is not served here: its builder can name it by --allow-host.' };
  if (origin !== undefined && !rules.origins.includes(origin) && !(isLoopback(name) && isLoopback(hostnameIn(origin))))
    return { status: 403, message: 'This origin is not served here: its builder can name it by --allow-origin.' };
  return undefined;
}

/** The bearer token. Undefined: there is none, and none is needed. */
export function readBearer(
  authorization: string | undefined,
  { isFree }: AdmissionRules,
): { readonly bearer: string | undefined } | HttpRefusal {
  if (authorization === undefined) return isFree ? { bearer: undefined } : tokenMissing;
  const [, bearer] = /^bearer +(\S+)$/i.exec(authorization) ?? [];
  return bearer === undefined ? tokenMissing : { bearer };
}

const loopback: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** The names under which an address of this machine may be asked for. Undefined: only its owner can know them. */
export function hostsOf(address: string): readonly string[] | undefined {
  if (address === '0.0.0.0' || address === '::') return undefined;
  if (address.startsWith('127.')) return [...loopback, address];
  if (address === 'localhost' || address === '::1') return loopback;
  return [address.includes(':') ? `[${address}]` : address];
}

function isLoopback(name: string | undefined): boolean {
  return name !== undefined && loopback.includes(name);
}

function hostnameOf(host: string | undefined): string | undefined {
  return host === undefined ? undefined : hostnameIn(`http://${host}`);
}

function hostnameIn(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}
