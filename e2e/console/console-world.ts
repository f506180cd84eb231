import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Tollgate } from '@tollgate/sdk';
import { startChildService } from '@tollgate/testkit/child-service';
import { findFreePorts } from '@tollgate/testkit/find-free-ports';
import { buildStandalone, fillDataFolder, startStandalone } from '@tollgate/testkit/standalone-process';
import type { Browser } from 'playwright-core';
import { buildPackage } from '../../tools/release/pack-package.ts';
import { serverCommand } from '../clients/open-proxies.ts';
import { openChromium } from '../chromium.ts';
import { openFolder, type Undo } from '../it-with.ts';

const tollgate = fileURLToPath(new URL('../../packages/cli/dist/main.js', import.meta.url));
export const password = 'correct horse battery';

/** Tollgate as one starts it, a builder whose MCP server charges for a tool, and a browser. */
export interface ConsoleWorld {
  readonly baseUrl: string;
  readonly dataDir: string;
  /** A program of the operator has this. */
  readonly operatorToken: string;
  /** The slug of the builder's tool. A call costs one cent. */
  readonly slug: string;
  /** The server of that tool, as OAuth names it. */
  readonly resource: string;
  readonly builder: Tollgate;
  readonly browser: Browser;
  /** A new account, with a client that is signed in. */
  signUp(): Promise<{ readonly email: string; readonly client: Tollgate }>;
}

export async function openConsoleWorld(undo: Undo): Promise<ConsoleWorld> {
  await buildStandalone();
  const [port = 0, proxyPort = 0] = await findFreePorts(2);
  const baseUrl = `http://127.0.0.1:${port}`;
  const folder = openFolder('console', undo, () => life.output());
  const operatorToken = randomUUID() + randomUUID();
  const env = { OUTGOING_ALLOW: 'loopback', OPERATOR_TOKEN: operatorToken };
  const dataDir = join(folder, 'data');
  await fillDataFolder(dataDir);
  const life = startStandalone({ dataDir, args: ['--port', String(port)], env });
  undo(() => life.destroy());
  await life.ready();
  const signUp = async () => {
    const email = `${randomUUID()}@example.com`;
    const anybody = new Tollgate({ url: baseUrl });
    return { email, client: anybody.with({ apiKey: (await anybody.auth.register({ email, password })).access_token }) };
  };
  const { client: builder } = await signUp();
  const slug = `weather-${randomUUID().slice(0, 8)}`;
  await builder.tools.create({ slug, name: 'Weather', price: { per_call_usd: '0.01' } });
  const resource = `http://127.0.0.1:${proxyPort}/mcp`;
  const { key = '' } = await builder.apiKeys.create({ name: 'proxy' });
  await serveTool({ builder, key, baseUrl, slug, resource, settings: join(folder, 'proxy') }, undo);
  const browser = await openChromium(undo);
  return { baseUrl, dataDir, operatorToken, slug, resource, builder, browser, signUp };
}

interface Served {
  readonly builder: Tollgate;
  /** The proxy has this. */
  readonly key: string;
  readonly baseUrl: string;
  readonly slug: string;
  readonly resource: string;
  readonly settings: string;
}

/** Serves the tool as docs/mcp.md says: the proxy before a program, and the catalogue that names its address. */
export async function serveTool(
  { builder, key, baseUrl, slug, resource, settings }: Served,
  undo: Undo,
): Promise<void> {
  buildPackage('packages/cli');
  const flags = ['--listen', new URL(resource).host, '--oauth', '--resource', resource, '--tool', slug, '--gate'];
  const child = startChildService({
    command: process.execPath,
    args: [tollgate, 'mcp-proxy', ...flags, '--', ...serverCommand, 'second'],
    env: { XDG_CONFIG_HOME: settings, TOLLGATE_URL: baseUrl, TOLLGATE_API_KEY: key },
  });
  undo(() => child.destroy());
  await child.line(/serves MCP at (\S+)$/m, { withinMs: 20_000 });
  await builder.tools.update(slug, { resource });
}
