import { describe, expect, it } from '@jest/globals';
import { authSuite, type SignedUp } from '../support/auth-under-test.ts';

const auth = authSuite();

const give = (account: SignedUp, name: unknown) =>
  auth.send('PATCH', '/v1/auth/me', { token: account.token, body: { public_name: name } });
const nameOf = async ({ token }: SignedUp) => (await auth.me(token)).body;
const taken = { status: 409, body: { code: 'name_taken' } };

describe('PATCH /v1/auth/me', () => {
  it('gives the account a public name, another one, and none', async () => {
    const ada = await auth.signUp();
    for (const name of ['Weather House', 'Rain & Sons', null]) {
      expect(await give(ada, name)).toMatchObject({ status: 200, body: { public_name: name, email: ada.email } });
      expect(await nameOf(ada)).toMatchObject({ public_name: name });
    }
    const { body } = await auth.send<{ acts: { action: string }[] }>('GET', '/v1/auth/activity', { token: ada.token });
    expect(body.acts.filter(({ action }) => action === 'account.named')).toHaveLength(3);
  });

  it('F381 gives no two accounts names that look alike, however many ask at once; its own and a free one it gives', async () => {
    const accounts = await Promise.all(Array.from({ length: 4 }, () => auth.signUp()));
    const names = ['Cloud Nine', 'CLOUD-NINE', 'Cl0ud Nine', 'C1oud Níne'];
    const given = await Promise.all(accounts.map((account, at) => give(account, names[at])));
    expect(given.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409, 409, 409]);
    const winner = accounts[given.findIndex(({ status }) => status === 200)];
    const loser = accounts.find((account) => account !== winner);
    if (winner === undefined || loser === undefined) throw new Error('nobody has the name');
    expect(await give(winner, 'cloud nine')).toMatchObject({ status: 200 });
    expect(await give(loser, 'Cloud Nine')).toMatchObject(taken);
    await give(winner, null);
    expect(await give(loser, 'Cloud Nine')).toMatchObject({ status: 200 });
  });

  it('refuses what is no name, with the reason', async () => {
    const ada = await auth.signUp();
    for (const name of ['a', 'Weаther', 'no\u200Bwidth', 'Tollgate', 7])
      expect(await give(ada, name)).toMatchObject({ status: 400, body: { errors: [{ pointer: '/public_name' }] } });
    expect(await nameOf(ada)).toMatchObject({ public_name: null });
  });
});
