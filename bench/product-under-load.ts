import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChildService } from '@tollgate/testkit/child-service';
import { createHttpClient, type HttpClient } from '@tollgate/testkit/http-client';
import { startStandalone } from '@tollgate/testkit/standalone-process';

export interface ProductUnderLoad {
  readonly baseUrl: string;
  readonly dataDir: string;
  readonly client: HttpClient;
  readonly builderToken: string;
  /** API keys; enough of them that 100 requests a second each are no bound. */
  readonly keys: readonly string[];
  readonly toolId: string;
}

const accounts = 20;
const keysPerAccount = 20;

/** The product as `pnpm start` runs it, with a tool, and consumers who have keys; `env` is added to its settings. */
export async function withProduct(
  work: (product: ProductUnderLoad) => Promise<void>,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tollgate-bench-'));
  await chmod(dataDir, 0o755); // PostgreSQL runs as another user where this runs as root
  const standalone = startStandalone({ dataDir, env: { LOG_LEVEL: 'warn', ...env } });
  try {
    const { baseUrl } = await standalone.ready();
    const client = createHttpClient({ baseUrl });
    const builderToken = await register(client, 'builder');
    const tool = { slug: 'bench', name: 'Bench', price: { per_call_usd: '0.002' } };
    await client('POST', '/v1/tools', { token: builderToken, body: tool });
    const keys = (await Promise.all(Array.from({ length: accounts }, (_, at) => makeKeys(client, at)))).flat();
    await work({ baseUrl, dataDir, client, builderToken, keys, toolId: tool.slug });
  } finally {
    await standalone.destroy();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** A bare node:http echo in a process of its own. */
export async function withEcho(work: (baseUrl: string) => Promise<void>): Promise<void> {
  const main = new URL('echo-server.ts', import.meta.url).pathname;
  const echo = startChildService({ command: process.execPath, args: [main] });
  try {
    const [, baseUrl = ''] = await echo.line(/echo ready: (\S+)/, { withinMs: 10_000 });
    await work(baseUrl);
  } finally {
    await echo.destroy();
  }
}

async function register(client: HttpClient, name: string): Promise<string> {
  const body = { email: `${name}@example.com`, password: `${name} horse battery staple` };
  return (await client<{ access_token: string }>('POST', '/v1/auth/register', { body })).body.access_token;
}

async function makeKeys(client: HttpClient, account: number): Promise<string[]> {
  const token = await register(client, `consumer-${account}`);
  const keys: string[] = [];
  for (let at = 0; at < keysPerAccount; at += 1) {
    const created = await client<{ key: string }>('POST', '/v1/api-keys', { token, body: { name: `bench ${at}` } });
    keys.push(created.body.key);
  }
  return keys;
}
