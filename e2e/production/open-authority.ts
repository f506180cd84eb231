import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
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
  /** A command before its programs, if it does not belong to this host's network. */
  readonly networked?: readonly string[];
}

/** Pebble, Let's Encrypt's authority for tests. Every name leads to 127.0.0.1 for it, and it validates each order anew. */
export async function openAuthority(options: AuthorityOptions, undo: Undo): Promise<Authority> {
  const { programs, folder, httpPort, tlsPort, validitySeconds, networked = [] } = options;
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
  const start = (program: string, options: readonly string[]) => {
    const env = { PEBBLE_VA_NOSLEEP: '1', PEBBLE_AUTHZREUSE: '0', HOME: folder };
    const [command = '', ...args] = [...networked, join(programs, program), ...options];
    const service = startChildService({ command, args, env });
    undo(() => service.destroy());
  };
  const elsewhere = ['-http01', '', '-https01', '', '-tlsalpn01', '', '-doh', '', '-defaultIPv6', ''];
  start('pebble-challtestsrv', ['-dnsserver', own.dns, '-management', own.management, ...elsewhere]);
  start('pebble', ['-config', configFile, '-dnsserver', own.dns, '-strict']);
  const asking = [...networked, 'curl', '-sS', '--cacert', serverCa, `https://127.0.0.1:${managementPort}/roots/0`];
  const [command = '', ...args] = asking;
  const { stdout: root } = await eventually(() => promisify(execFile)(command, args), { withinMs: 10_000 });
  return { directory: `https://127.0.0.1:${port}/dir`, serverCa, root };
}
