import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Problem } from '@tollgate/contracts/forms/problem';
import { authSuite, refusal, type AuthUnderTest } from '../support/auth-under-test.ts';

const auth = authSuite();
let other: AuthUnderTest;
let token: string;

beforeAll(async () => {
  other = await auth.startBeside();
});
beforeEach(async () => {
  token = (await auth.signUp()).token;
});

const remove = (id: string, bearer = token) => auth.send<Problem>('DELETE', `/v1/api-keys/${id}`, { token: bearer });

describe('204', () => {
  it('F69 revokes: refused at once here, soon in another process', async () => {
    const { id, key } = await auth.createKey(token);
    expect(await other.me(key)).toMatchObject({ status: 200 });
    expect(await remove(id)).toMatchObject({ status: 204, text: '' });
    expect(await auth.me(key)).toMatchObject(refusal(401, 'unauthorized'));
    await other.untilRefused(key);
  });

  it('answers one of many concurrent deletions so, the others with 404', async () => {
    const { id } = await auth.createKey(token);
    const answers = await Promise.all(Array.from({ length: 6 }, () => remove(id)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 404, 404, 404, 404, 404]);
  });
});

describe('404', () => {
  it('F72 says so for the key of another account, which stays', async () => {
    const { id, key } = await auth.createKey(token);
    const stranger = (await auth.signUp()).token;
    const nowhere = '01900000-0000-7000-8000-000000000000';
    const unknown = await remove(nowhere, stranger);
    const foreign = await remove(id, stranger);
    expect(foreign).toMatchObject(refusal(404, 'not_found'));
    expect(foreign.body.detail).toBe(unknown.body.detail.replace(nowhere, id));
    expect(foreign.body.detail).toBe(`You have no live API key \`${id}\`.`);
    expect(await auth.me(key)).toMatchObject({ status: 200 });
  });

  it('says so for what is no id, and for one in upper case, which is not how ids are written', async () => {
    const { id } = await auth.createKey(token);
    for (const other of ['..', '%27%3B%20drop%20table', '01900000-0000-7000-8000-00000000000G', id.toUpperCase()])
      expect(await remove(other)).toMatchObject({ status: 404 });
  });
});
