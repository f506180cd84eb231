import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@tollgate/testkit/eventually';
import { startAuth, type AuthUnderTest } from '../support/auth-under-test.ts';

let auth: AuthUnderTest;
let other: AuthUnderTest;
let token: string;

beforeAll(async () => {
  auth = await startAuth();
  other = await startAuth({ beside: auth });
});
afterAll(async () => {
  await other.stop();
  await auth.stop();
});
beforeEach(async () => {
  token = (await auth.signUp()).token;
});

const create = async () =>
  (await auth.send<{ id: string; key: string }>('POST', '/v1/api-keys', { token, body: { name: 'k' } })).body;
const remove = (id: string, bearer = token) => auth.send('DELETE', `/v1/api-keys/${id}`, { token: bearer });

describe('204', () => {
  it('F69 revokes: refused at once here, within 1 s in another process', async () => {
    const { id, key } = await create();
    expect(await other.send('GET', '/v1/auth/me', { token: key })).toMatchObject({ status: 200 });
    expect(await remove(id)).toMatchObject({ status: 204, text: '' });
    expect(await auth.send('GET', '/v1/auth/me', { token: key })).toMatchObject({
      status: 401,
      body: { code: 'unauthorized' },
    });
    await eventually(async () => (await other.send('GET', '/v1/auth/me', { token: key })).status === 401, {
      withinMs: 1_000,
    });
  });

  it('answers one of many concurrent deletions so, the others with 404', async () => {
    const { id } = await create();
    const answers = await Promise.all(Array.from({ length: 6 }, () => remove(id)));
    expect(answers.map((answer) => String(answer.status)).toSorted()).toEqual([
      '204',
      '404',
      '404',
      '404',
      '404',
      '404',
    ]);
  });
});

describe('404', () => {
  it('says so the second time', async () => {
    const { id } = await create();
    await remove(id);
    expect(await remove(id)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  it('F72 says so for the key of another account, which stays', async () => {
    const { id, key } = await create();
    const stranger = (await auth.signUp()).token;
    const unknown = await remove('01900000-0000-7000-8000-000000000000', stranger);
    const foreign = await remove(id, stranger);
    expect(foreign).toMatchObject({
      status: 404,
      body: { code: 'not_found', detail: (unknown.body as { detail: string }).detail },
    });
    expect(await auth.send('GET', '/v1/auth/me', { token: key })).toMatchObject({ status: 200 });
  });

  it.each([
    'x',
    '..',
    '%27%3B%20drop%20table',
    '01900000-0000-7000-8000-00000000000G',
    '01900000-0000-7000-8000-0000000000001',
  ])('says so for the malformed id %s', async (id) => {
    expect((await remove(id)).status).toBe(404);
  });

  it('says so for an id in upper case, which is not how ids are written', async () => {
    const { id } = await create();
    expect(await remove(id.toUpperCase())).toMatchObject({ status: 404 });
  });
});

describe('403', () => {
  it('lets no key revoke keys, itself included', async () => {
    const { id, key } = await create();
    expect(await remove(id, key)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  });
});
