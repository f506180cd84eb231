import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Tollgate } from '@tollgate/sdk';
import { startChildService, type ChildService } from '@tollgate/testkit/child-service';
import { findFreePorts } from '@tollgate/testkit/find-free-ports';
import { buildStandalone, fillDataFolder, startStandalone } from '@tollgate/testkit/standalone-process';
import { buildPackage } from '../../tools/release/pack-package.ts';
import { openFolder, type Undo } from '../it-with.ts';
import { rawServerCommand } from './open-proxies.ts';

const tollgate = fileURLToPath(new URL('../../packages/cli/dist/main.js', import.meta.url));

/** A builder whose server stands behind `mcp-proxy --listen --oauth`, and a person who pays. */
export interface OAuthMarket {
  readonly issuer: string;
  /** The server's address, which its tool names as its resource. */
  readonly url: string;
  readonly slug: string;
  readonly builder: Tollgate;
  readonly consumer: Tollgate;
  readonly person: { readonly email: string; readonly password: string };
}

/** Tollgate as one starts it on one's own machine, with further settings, and what starts such markets. */
export async function openOAuthListeners(name: string, undo: Undo, more: Readonly<Record<string, string>> = {}) {
  buildPackage('packages/cli');
  await buildStandalone();
  const [port = 0] = await findFreePorts(1);
  const issuer = `http://127.0.0.1:${port}`;
  const children: ChildService[] = [];
  const folder = openFolder(name, undo, () => [life, ...children].map((child) => child.output()).join('\n'));
  const args = ['--port', String(port)];
  const dataDir = join(folder, 'data');
  await fillDataFolder(dataDir);
  const life = startStandalone({ dataDir, args, env: { OUTGOING_ALLOW: 'loopback', ...more } });
  undo(() => Promise.all([life.destroy(), ...children.map((child) => child.destroy())]));
  await life.ready();

  async function signUp() {
    const anybody = new Tollgate({ url: issuer });
    const person = { email: `${randomUUID()}@example.com`, password: 'correct horse battery' };
    return { person, account: anybody.with({ apiKey: (await anybody.auth.register(person)).access_token }) };
  }

  /** The tool costs a cent a call. `program` starts the server. */
  async function open(program: readonly string[] = rawServerCommand): Promise<OAuthMarket> {
    const [{ account: builder }, { account: consumer, person }] = [await signUp(), await signUp()];
    const slug = `tool-${randomUUID()}`;
    await builder.tools.create({ slug, name: 'Weather', price: { per_call_usd: '0.01' } });
    const { key = '' } = await builder.apiKeys.create({ name: 'proxy', can: ['events', 'read'] });
    const [own = 0] = await findFreePorts(1);
    const url = `http://127.0.0.1:${own}/mcp`;
    const flags = ['--listen', String(own), '--tool', slug, '--oauth', '--resource', url, '--', ...program];
    const env = { XDG_CONFIG_HOME: join(folder, slug), TOLLGATE_URL: issuer, TOLLGATE_API_KEY: key };
    const child = startChildService({ command: process.execPath, args: [tollgate, 'mcp-proxy', ...flags], env });
    children.push(child);
    await child.line(/serves MCP at (\S+)$/m, { withinMs: 20_000 });
    const { key: manager = '' } = await builder.apiKeys.create({ name: 'person' });
    const byPerson = { ...process.env, ...env, TOLLGATE_API_KEY: manager };
    await promisify(execFile)(process.execPath, [tollgate, 'tools', 'update', slug, '--resource', url], {
      env: byPerson,
    });
    return { issuer, url, slug, builder, consumer, person };
  }

  return { open };
}
