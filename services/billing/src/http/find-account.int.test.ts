import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { operatorToken as token, startBilling, type BillingUnderTest } from '../testing/start-billing.ts';

const path = '/v1/operator/accounts';
let billing: BillingUnderTest;
beforeAll(async () => {
  billing = await startBilling();
});
afterAll(() => billing.stop());

const find = (name: string) => billing.send<{ email: string }>('GET', `${path}/${name}`, { token });

describe(`GET ${path}/{account}: 200`, () => {
  it('finds it by its id and by its e-mail', async () => {
    const { accountId } = await billing.newAccount();
    const byId = await find(accountId);
    expect(byId).toMatchObject({ status: 200, body: { account_id: accountId } });
    for (const name of [byId.body.email, encodeURIComponent(byId.body.email.toUpperCase()), accountId.toUpperCase()])
      expect(await find(name)).toMatchObject({ status: 200, body: byId.body });
  });
});

describe(`GET ${path}/{account}: 401`, () => {
  it('refuses who is nobody', async () => {
    expect(await billing.send('GET', `${path}/${randomUUID()}`)).toMatchObject({ status: 401 });
  });
});

describe(`GET ${path}/{account}: 404`, () => {
  it.each([randomUUID(), 'nobody@example.com', 'nobody', '%27%20or%201=1'])('finds no %s', async (name) => {
    expect(await find(name)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  it('is not there for an account, not even its own', async () => {
    const { accountId, token: own } = await billing.newAccount();
    expect(await billing.send('GET', `${path}/${accountId}`, { token: own })).toMatchObject({ status: 404 });
  });
});
