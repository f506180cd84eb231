import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import { startChildService } from '@tollgate/testkit/child-service';
import { eventually } from '@tollgate/testkit/eventually';
import { findFreePorts } from '@tollgate/testkit/find-free-ports';
import { makeCertificates } from '@tollgate/testkit/make-certificates';
import type { Undo } from '../it-with.ts';

export interface Authority {
  /** Where ACME clients begin. */
  readonly directory: string;
  /** A file with the certificate of its own server, which ACME clients must trust. */
  readonly serverCa: string;
  /** The root of the certificates that it issues, in PEM, which a browser would trust. */
  readonly root: string;
}

export interface AuthorityOptions {
  /** A folder with the programs. */
  readonly programs: string;
  readonly folder: string;
  /** Where it looks for the answers to its challenges. */
  readonly httpPort: number;
  readonly tlsPort: number;
  /** How long its certificates are good. */
  readonly validitySeconds: number;
}

/** Pebble, Let's Encrypt's authority for tests. Every name leads to 127.0.0.1 for it, and it validates each order anew. */
export async function openAuthority(options: AuthorityOptions, undo: Undo): Promise<Authority> {
  const { programs, folder, httpPort, tlsPort, validitySeconds } = options;
  mkdirSync(folder);
  const [port = 0, managementPort = 0, dnsPort = 0, dnsManagementPort = 0] = await findFreePorts(4);
  const { pebble } = await makeCertificates(['pebble']);
  const file = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const serverCa = file('ca.pem', pebble.ca);
  const config = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${managementPort}`,
    certificate: file('cert.pem', pebble.cert),
    privateKey: file('key.pem', pebble.key),
    httpPort,
    tlsPort,
    retryAfter: { authz: 0, order: 0 }, // else it is a date half of the time, which Debian's Caddy 2.6 cannot read
    profiles: { default: { description: 'of this test', validityPeriod: validitySeconds } },
  };
  const configFile = file('config.json', JSON.stringify({ pebble: config }));
  const own = { dns: `127.0.0.1:${dnsPort}`, management: `127.0.0.1:${dnsManagementPort}` };
  const start = (command: string, args: readonly string[]) => {
    const env = { PEBBLE_VA_NOSLEEP: '1', PEBBLE_AUTHZREUSE: '0', HOME: folder };
    const service = startChildService({ command: join(programs, command), args, env });
    undo(() => service.destroy());
  };
  const elsewhere = ['-http01', '', '-https01', '', '-tlsalpn01', '', '-doh', '', '-defaultIPv6', ''];
  start('pebble-challtestsrv', ['-dnsserver', own.dns, '-management', own.management, ...elsewhere]);
  start('pebble', ['-config', configFile, '-dnsserver', own.dns, '-strict']);
  const root = await eventually(() => rootOf(managementPort, pebble.ca), { withinMs: 10_000 });
  return { directory: `https://127.0.0.1:${port}/dir`, serverCa, root };
}

async function rootOf(port: number, ca: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const options = { host: '127.0.0.1', port, path: '/roots/0', ca };
  request(options, (answer) => void text(answer).then(resolve, reject))
    .on('error', reject)
    .end();
  return promise;
}
