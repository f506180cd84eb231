import { generateKeyPairSync, randomUUID, type KeyObject } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { forgeTokens, signToken } from '@tollgate/testkit/forged-tokens';
import { createSpendingTokenCheck } from './spending-token-check.ts';

const issuer = 'https://tollgate.example';
const key = { keyId: 'k', ...generateKeyPairSync('ec', { namedCurve: 'P-256' }) };
const other = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const startMs = 1_000_000_000_000;
const iat = startMs / 1_000;
const claims = {
  iss: issuer,
  aud: 'https://mcp.example.com/mcp',
  sub: randomUUID(),
  client_id: 'https://client.example/metadata.json',
  pass_id: randomUUID(),
  scope: 'openid tollgate:spend',
  jti: 'any text',
  iat,
  exp: iat + 3_600,
};
const header = { alg: 'ES256', typ: 'at+jwt', kid: 'k' };
const tokenOf = (changes: object = {}) => signToken(key, header, { ...claims, ...changes });

function open(options: { readonly issuer?: string | undefined } = { issuer }) {
  const world = { nowMs: startMs, keys: new Map<string, KeyObject>([['k', key.publicKey]]) };
  const check = createSpendingTokenCheck({
    oauthKey: async (keyId) => world.keys.get(keyId),
    issuer: options.issuer,
    clock: { now: () => world.nowMs },
  });
  return { world, read: check.spendingToken };
}

const refused = expect.objectContaining({ code: 'unauthorized' });

describe('F315 an access token of OAuth', () => {
  it('F315 names the account, the pass, the client and the resource, in its one spelling', async () => {
    const spending = {
      accountId: claims.sub,
      passId: claims.pass_id,
      clientId: claims.client_id,
      resource: 'https://mcp.example.com/mcp',
      expiresAtMs: claims.exp * 1_000,
    };
    const { read } = open();
    expect(await read(tokenOf())).toMatchObject(spending);
    expect(await read(tokenOf({ aud: 'HTTPS://mcp.example.com:443/' }))).toMatchObject({
      resource: 'https://mcp.example.com',
    });
  });

  it('F315 is refused in each of 60 forged forms and more, the first and the second time', async () => {
    const ignored = /^(?:no sid|sid |no jti)/; // claims of sessions
    const forged = forgeTokens(key, tokenOf()).filter(({ title }) => !ignored.test(title));
    expect(forged.length).toBeGreaterThanOrEqual(60);
    const { read } = open();
    for (const { title, token } of [...forged, ...forged])
      expect([title, await read(token).catch((error: unknown) => error)]).toEqual([title, refused]);
  });

  it.each([
    ['no client', { client_id: undefined }],
    ['an empty client', { client_id: '' }],
    ['no pass', { pass_id: undefined }],
    ['a pass that is no id', { pass_id: 'x' }],
    ['no scope', { scope: undefined }],
    ['another scope', { scope: 'tollgate:spend:more tollgate' }],
    ['scopes as a list', { scope: ['tollgate:spend'] }],
    ['a resource with a fragment', { aud: 'https://mcp.example.com/mcp#x' }],
    ['our own audience', { aud: 'tollgate' }],
    ['two resources', { aud: ['https://mcp.example.com/mcp', 'https://other.example'] }],
    ['an expiry of now', { exp: iat }],
    ['a time that is no whole second', { exp: iat + 0.5 }],
  ])('F315 is refused with %s', async (_title, changes) => {
    await expect(open().read(tokenOf(changes))).rejects.toEqual(refused);
  });

  it('F315 is refused once it has expired, and once its key is withdrawn, though it was good before', async () => {
    const { world, read } = open();
    const token = tokenOf();
    await read(token);
    world.nowMs = claims.exp * 1_000 - 1;
    await read(token);
    world.nowMs += 1;
    await expect(read(token)).rejects.toEqual(refused);
    world.nowMs = startMs;
    world.keys.delete('k');
    await expect(read(token)).rejects.toEqual(refused);
  });

  it('is verified once: what comes later asks for its key alone', async () => {
    const { world, read } = open();
    const token = tokenOf();
    const first = await read(token);
    world.keys.set('k', other.publicKey); // it would not verify now
    expect(await read(token)).toEqual(first);
    await expect(read(tokenOf({ jti: 'another' }))).rejects.toEqual(refused);
  });

  it('is never good where there is no issuer', async () => {
    await expect(open({ issuer: undefined }).read(tokenOf())).rejects.toEqual(refused);
  });
});
