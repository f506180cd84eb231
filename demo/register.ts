import type { Account } from '@tollgate/contracts/accounts/accounts';
import type { CreatedApiKey } from '@tollgate/contracts/accounts/api-keys';
import type { Ask } from './ask.ts';

export interface Member {
  readonly name: string;
  readonly accountId: string;
  /** An API key. An access token would expire when the clock moves by weeks. */
  readonly token: string;
}

export async function register(name: string, ask: Ask): Promise<Member> {
  const credentials = { email: `${name}@example.com`, password: `${name} of the demo` };
  const { body: access } = await ask<{ access_token: string }>('POST', '/v1/auth/register', { body: credentials });
  const key = { token: access.access_token, body: { name: 'demo' } };
  const { body: created } = await ask<CreatedApiKey>('POST', '/v1/api-keys', key);
  const token = created.key ?? '';
  const { body: account } = await ask<Account>('GET', '/v1/auth/me', { token });
  return { name, accountId: account.account_id, token };
}
