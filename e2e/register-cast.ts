import type { LoadAccount } from '@tollgate/testkit/load/invent-events';
import { unitsKey } from '@tollgate/testkit/load/load-event';
import type { HttpClient } from '@tollgate/testkit/http-client';

export interface Cast {
  readonly builderToken: string;
  readonly consumers: readonly [LoadAccount, ...LoadAccount[]];
  readonly toolIds: readonly [string, ...string[]];
  /** The tools whose price sums the units. */
  readonly measuredToolIds: readonly string[];
}

const perCall = { per_call_usd: '0.002' };
const free = { currency: 'usd', charges: [] };
const perUnit = {
  currency: 'usd',
  charges: [
    { metric: { type: 'metadata_sum', key: unitsKey }, model: { type: 'per_unit', unit_price_usd: '0.01' } },
    { metric: { type: 'duration_ms' }, model: { type: 'package', size: '1000', package_price_usd: '0.05' } },
  ],
};
const prices = { 'e2e-per-call': perCall, 'e2e-free': free, 'e2e-per-unit': perUnit };

/** Registers a builder with three tools, and consumers with a token, an API key and a pass each. `mark` separates casts. */
export async function registerCast(client: HttpClient, consumers: number, mark = ''): Promise<Cast> {
  const builderToken = await registerAccount(client, `builder${mark}`);
  for (const [name, price] of Object.entries(prices)) {
    const slug = name + mark;
    const answer = await client('POST', '/v1/tools', { token: builderToken, body: { slug, name: slug, price } });
    if (answer.status !== 201) throw new Error(`registering ${slug}: ${answer.text}`);
  }
  const [first, ...others] = await Promise.all(
    Array.from({ length: consumers }, (_, at) => registerConsumer(client, `${consumerName(at)}${mark}`)),
  );
  if (!first) throw new Error('a load needs a consumer');
  return {
    builderToken,
    consumers: [first, ...others],
    toolIds: [`e2e-per-call${mark}`, `e2e-free${mark}`, `e2e-per-unit${mark}`],
    measuredToolIds: [`e2e-per-unit${mark}`],
  };
}

/** Registers an account and returns its access token. */
export async function registerAccount(client: HttpClient, name: string): Promise<string> {
  const answer = await client<{ access_token: string }>('POST', '/v1/auth/register', { body: signInBody(name) });
  if (answer.status !== 201) throw new Error(`registering ${name}: ${answer.text}`);
  return answer.body.access_token;
}

/** Returns another access token of an account from `registerAccount`. */
export async function signIn(client: HttpClient, name: string): Promise<string> {
  const answer = await client<{ access_token: string }>('POST', '/v1/auth/login', { body: signInBody(name) });
  if (answer.status !== 200) throw new Error(`signing in ${name}: ${answer.text}`);
  return answer.body.access_token;
}

/** The name of the consumer at this place in the cast. */
export const consumerName = (index: number): string => `consumer-${index}`;

export const signInBody = (name: string) => ({
  email: `${name}@example.com`,
  password: `${name} horse battery staple`,
});

async function registerConsumer(client: HttpClient, name: string): Promise<LoadAccount> {
  const token = await registerAccount(client, name);
  const me = await client<{ account_id: string }>('GET', '/v1/auth/me', { token });
  const created = await client<{ key: string }>('POST', '/v1/api-keys', { token, body: { name: 'load' } });
  const pass = await client<{ key: string }>('POST', '/v1/passes', { token, body: { name: 'load', tools: '*' } });
  if (pass.status !== 201) throw new Error(`a pass for ${name}: ${pass.text}`);
  return { consumerId: me.body.account_id, credentials: [token, created.body.key, pass.body.key] };
}
