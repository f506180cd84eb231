import { createHttpClient, type HttpClient } from '@tollgate/testkit/http-client';

/** The accounts that a load needs: a builder with a tool, and consumers with keys. */
export interface Cast {
  readonly client: HttpClient;
  readonly builderToken: string;
  /** API keys; enough of them that 100 requests per second each are no bound. */
  readonly keys: readonly string[];
  /** The same keys, by their accounts. */
  readonly keysByAccount: readonly (readonly string[])[];
  readonly toolId: string;
}

const accounts = 20;
const keysPerAccount = 20;

export async function registerCast(baseUrl: string): Promise<Cast> {
  const client = createHttpClient({ baseUrl });
  const builderToken = await register(client, 'builder');
  const tool = { slug: 'bench', name: 'Bench', price: { per_call_usd: '0.002' } };
  const made = await client('POST', '/v1/tools', { token: builderToken, body: tool });
  if (made.status !== 201) throw new Error(`the tool was not made: ${made.status} ${made.text}`);
  const keysByAccount: string[][] = [];
  for (let at = 0; at < accounts; at += 1) keysByAccount.push(await makeKeys(client, at));
  return { client, builderToken, keys: keysByAccount.flat(), keysByAccount, toolId: tool.slug };
}

async function register(client: HttpClient, name: string): Promise<string> {
  const body = { email: `${name}@example.com`, password: `${name} horse battery staple` };
  const answer = await client<{ access_token: string }>('POST', '/v1/auth/register', { body });
  if (answer.status !== 201) throw new Error(`${name} was not registered: ${answer.status} ${answer.text}`);
  return answer.body.access_token;
}

async function makeKeys(client: HttpClient, account: number): Promise<string[]> {
  const token = await register(client, `consumer-${account}`);
  const keys: string[] = [];
  for (let at = 0; at < keysPerAccount; at += 1) {
    const made = await client<{ key: string }>('POST', '/v1/api-keys', { token, body: { name: `bench ${at}` } });
    if (made.status !== 201) throw new Error(`a key was not made: ${made.status} ${made.text}`);
    keys.push(made.body.key);
  }
  return keys;
}
