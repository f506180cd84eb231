import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { operatorToken as token, useBilling } from '../support/start-billing.ts';

const path = '/v1/operator/accounts';
const billing = useBilling();

const find = (name: string) => billing.send<{ email: string }>('GET', `${path}/${name}`, { token });

describe(`GET ${path}/{account_id}: 200`, () => {
  it('finds it', async () => {
    const { accountId } = await billing.newAccount();
    expect(await find(accountId)).toMatchObject({ status: 200, body: { account_id: accountId } });
  });
});

describe(`GET ${path}/{account_id}: 401`, () => {
  it('refuses who is nobody', async () => {
    expect(await billing.send('GET', `${path}/${randomUUID()}`)).toMatchObject({ status: 401 });
  });
});

describe(`GET ${path}/{account_id}: 404`, () => {
  it.each([randomUUID(), 'nobody@example.com', 'nobody', '%27%20or%201=1'])('finds no %s', async (name) => {
    expect(await find(name)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  it('is not there for an account, not even its own', async () => {
    const { accountId, token: own } = await billing.newAccount();
    expect(await billing.send('GET', `${path}/${accountId}`, { token: own })).toMatchObject({ status: 404 });
  });
});
