import { afterEach, describe, expect, it } from '@jest/globals';
import { useOnce } from '@tollgate/testkit/use-world';
import { eventually } from '@tollgate/testkit/eventually';
import { hash, randomBytes } from 'node:crypto';
import { operatorTokenPrefix } from '../../src/auth/operator-check.ts';
import { createApiKey } from '../../src/auth/api-key-format.ts';
import { bearer, createSigner, refused, startCredentials } from '../support/credentials-under-test.ts';

const test = useOnce(() => startCredentials());

afterEach(() => test.reset());

const lookUpsSince = (statements: number) =>
  test
    .statements()
    .slice(statements)
    .filter((text) => text.includes('key_hash = any')).length;

describe('an access token', () => {
  it('is a session, found at once when the token is known', async () => {
    const token = test.createToken();
    const principal = await test.credentials.authenticate(bearer(token.text));
    expect(principal).toEqual({
      kind: 'session',
      accountId: token.sub,
      sessionId: token.sid,
      tokenId: token.jti,
      expiresAt: token.exp * 1_000,
    });
    expect(test.credentials.authenticate(bearer(token.text))).toEqual(principal);
    expect(test.credentials.authenticate(`bearer   ${token.text} `)).toEqual(principal);
  });

  it('is good to the last millisecond before it expires, and no longer, known or not', async () => {
    const token = test.createToken({ exp: Math.floor(test.clock.now() / 1_000) + 10 });
    test.clock.set(token.exp * 1_000 - 1);
    test.clock.freeze(true);
    expect(await test.answerTo(bearer(token.text))).toMatchObject({ kind: 'session' });
    test.clock.advance(1);
    expect(await test.answerTo(bearer(token.text))).toBe(refused);
    const unknown = test.createToken({ exp: token.exp });
    expect(await test.answerTo(bearer(unknown.text))).toBe(refused);
    test.clock.freeze(false);
  });

  it('F69 of an ended session is refused, known before or not', async () => {
    const sid = await test.createSession();
    const [known, unknown] = [test.createToken({ sid }), test.createToken({ sid })];
    expect(await test.answerTo(bearer(known.text))).toMatchObject({ kind: 'session' });
    await test.endSession(sid);
    await eventually(async () => (await test.answerTo(bearer(known.text))) === refused, { withinMs: 1_000 });
    expect(await test.answerTo(bearer(unknown.text))).toBe(refused);
  });

  it('F69 of a new signing key is good at once; of a deleted key it is refused, also when verified before', async () => {
    const other = createSigner('key-2');
    const token = test.createToken({}, other);
    expect(await test.answerTo(bearer(token.text))).toBe(refused);
    await test.publishKey(other);
    expect(await test.answerTo(bearer(token.text))).toMatchObject({ kind: 'session' });
    await test.owner.query('delete from auth.signing_key where key_id = $1', [other.keyId]);
    await eventually(async () => (await test.answerTo(bearer(token.text))) === refused, { withinMs: 1_000 });
  });

  it('F302 signed by a key of OAuth is no session, and that key is found for tokens of OAuth alone', async () => {
    const [ofOAuth, ofSessions] = [createSigner('key-of-oauth'), createSigner('key-of-sessions')];
    await test.publishKey(ofOAuth, 'oauth');
    await test.publishKey(ofSessions);
    expect(await test.answerTo(bearer(test.createToken({}, ofSessions).text))).toMatchObject({ kind: 'session' });
    expect(await test.answerTo(bearer(test.createToken({}, ofOAuth).text))).toBe(refused);
    const { oauthKey, signingKey } = test.credentials;
    expect(await oauthKey('key-of-oauth')).toMatchObject({ type: 'public' });
    expect([await oauthKey('key-of-sessions'), await signingKey('key-of-oauth')]).toEqual([undefined, undefined]);
  });

  it('F69 stays good when the signing key rotates', async () => {
    const token = test.createToken();
    const next = createSigner('key-3');
    await test.publishKey(next);
    await test.credentials.changed();
    expect(await test.answerTo(bearer(token.text))).toMatchObject({ kind: 'session' });
    expect(await test.answerTo(bearer(test.createToken({}, next).text))).toMatchObject({ kind: 'session' });
  });
});

describe('an API key', () => {
  it('works the moment it is committed, and is found at once after that', async () => {
    const { key, id } = await test.createKey();
    const principal = { kind: 'api_key', accountId: test.account, keyId: id };
    expect(await test.answerTo(bearer(key))).toEqual(principal);
    expect(test.credentials.authenticate(bearer(key))).toEqual(principal);
  });

  it('F69 is refused after its revocation, and stays so', async () => {
    const { key, id } = await test.createKey();
    expect(await test.answerTo(bearer(key))).toMatchObject({ kind: 'api_key' });
    await test.revokeKey(id);
    await eventually(async () => (await test.answerTo(bearer(key))) === refused, { withinMs: 1_000 });
    await test.credentials.changed();
    expect(await test.answerTo(bearer(key))).toBe(refused);
  });

  it('with a wrong checksum is refused without a look-up', async () => {
    const before = test.statements().length;
    const key = createApiKey();
    expect(await test.answerTo(bearer(`${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`))).toBe(refused);
    expect(lookUpsSince(before)).toBe(0);
  });
});

describe('F154 an API key with an end', () => {
  it.each(['known before', 'looked up'])(
    'is good to the last millisecond before it and no longer: %s',
    async (when) => {
      test.clock.freeze(true);
      const by = test.openDeaf();
      await by.start();
      const { key } = await test.createKey({ can: ['read'], expiresAt: new Date(test.clock.now() + 10_000) });
      if (when === 'known before') await by.changed();
      test.clock.advance(9_999);
      expect(await test.answerTo(bearer(key), by)).toMatchObject({ kind: 'api_key', can: ['read'] });
      test.clock.advance(1);
      expect(await test.answerTo(bearer(key), by)).toBe(refused);
      const late = test.openDeaf();
      await late.start();
      expect(await test.answerTo(bearer(key), late)).toBe(refused);
      expect(() => by.authenticate(bearer(key))).toThrow('The API key has expired: it is ');
      test.clock.freeze(false);
    },
  );
});

describe('F135 an account that the operator suspends', () => {
  it.each(['NOTIFY', 'polling'])('loses its tokens and keys by %s, and gets them back', async (news) => {
    const by = news === 'NOTIFY' ? test.credentials : test.openDeaf();
    if (by !== test.credentials) await by.start();
    const [token, { key }] = [test.createToken(), await test.createKey()];
    const answers = async () => [await test.answerTo(bearer(token.text), by), await test.answerTo(bearer(key), by)];
    expect(await answers()).toMatchObject([{ kind: 'session' }, { kind: 'api_key' }]);
    await test.suspend(test.account);
    const code = 'forbidden account_suspended';
    await eventually(async () => (await answers()).every((answer) => answer === code), { withinMs: 1_000 });
    expect(await test.answerTo(bearer(test.createToken().text), by)).toBe(code);
    await test.resume(test.account);
    await eventually(async () => (await answers()).every((answer) => answer !== code), { withinMs: 1_000 });
    expect(await answers()).toMatchObject([{ kind: 'session' }, { kind: 'api_key' }]);
  });

  it('is known to a process that starts later', async () => {
    await test.suspend(test.account);
    const late = test.openDeaf();
    await late.start();
    expect(await test.answerTo(bearer(test.createToken().text), late)).toBe('forbidden account_suspended');
    await test.resume(test.account);
    await test.credentials.changed();
  });
});

describe('F137 the operator’s token, once it was rotated', () => {
  it('is the new one, also where the settings have none, and no longer the one of the settings', async () => {
    const without = test.open({ operatorToken: undefined });
    await without.start();
    expect(without.hasOperator).toBe(false);
    expect(await test.answerTo(bearer(test.operatorToken))).toEqual({ kind: 'operator', name: 'default' });
    const rotated = `${operatorTokenPrefix}${randomBytes(32).toString('base64url')}`;
    const put = "insert into auth.operator_token (name, token_hash, created_at) values ('default', $1, now())";
    await test.owner.query(put, [hash('sha256', rotated, 'buffer')]);
    for (const by of [test.credentials, without]) {
      const isKnown = async () => typeof (await test.answerTo(bearer(rotated), by)) === 'object';
      await eventually(isKnown, { withinMs: 1_000 });
      expect(by.hasOperator).toBe(true);
      for (const token of [test.operatorToken, `${rotated}x`, operatorTokenPrefix])
        expect(await test.answerTo(bearer(token), by)).toBe(refused);
    }
    await without.stop();
    await test.owner.query('delete from auth.operator_token');
    await test.credentials.changed();
    expect(await test.answerTo(bearer(test.operatorToken))).toEqual({ kind: 'operator', name: 'default' });
  });
});

describe('F151 a named operator token', () => {
  const insert =
    'insert into auth.operator_token (name, token_hash, created_at, expires_at) values ($1, $2, now(), $3)';
  async function createToken(name: string, expiresAt?: Date): Promise<string> {
    const token = `${operatorTokenPrefix}${randomBytes(32).toString('base64url')}`;
    await test.owner.query(insert, [name, hash('sha256', token, 'buffer'), expiresAt ?? null]);
    return token;
  }

  it('works the moment it is committed, beside the token of the settings', async () => {
    const deaf = test.openDeaf();
    await deaf.start();
    const token = await createToken('early');
    expect(await test.answerTo(bearer(token), deaf)).toEqual({ kind: 'operator', name: 'early' });
    expect(await test.answerTo(bearer(test.operatorToken), deaf)).toEqual({ kind: 'operator', name: 'default' });
  });

  it('is refused from its expiry on, by real time and not by the movable clock', async () => {
    test.realTime.freeze(true);
    const token = await createToken('brief', new Date(test.realTime.now() + 1_000));
    test.clock.advance(60_000);
    expect(await test.answerTo(bearer(token))).toEqual({ kind: 'operator', name: 'brief' });
    test.realTime.advance(999);
    expect(await test.answerTo(bearer(token))).toEqual({ kind: 'operator', name: 'brief' });
    test.realTime.advance(1);
    expect(await test.answerTo(bearer(token))).toBe(refused);
    const say = () => test.credentials.authenticate(bearer(token));
    expect(say).toThrow(
      'The operator token `brief` has expired. Make a new one with `tollgate operator operator-token create --name brief`.',
    );
  });

  it('leaves the operator’s routes there when the last one is revoked, so that its holder learns how to make another', async () => {
    const by = test.open({ operatorToken: undefined });
    await by.start();
    const token = await createToken('last');
    await by.changed();
    await test.owner.query(`update auth.operator_token set revoked_at = now()`);
    await by.changed();
    expect(by.hasOperator).toBe(true);
    expect(() => by.authenticate(bearer(token))).toThrow('`tollgate operator operator-token create --name last`');
    await by.stop();
    await test.owner.query('delete from auth.operator_token');
  });

  it('that nobody made is 503 while PostgreSQL is away, and the known ones work', async () => {
    const token = await createToken('steady');
    await test.credentials.changed();
    test.cutDatabase(true);
    expect(await test.answerTo(bearer(token))).toEqual({ kind: 'operator', name: 'steady' });
    expect(await test.answerTo(bearer(`${token}x`))).toBe('unavailable unavailable');
  });
});

describe('changes', () => {
  it('are found by polling when no notification comes', async () => {
    const deaf = test.openDeaf();
    await deaf.start();
    const { key, id } = await test.createKey();
    const sid = await test.createSession();
    const token = test.createToken({ sid });
    expect(await test.answerTo(bearer(key), deaf)).toMatchObject({ kind: 'api_key' });
    expect(await test.answerTo(bearer(token.text), deaf)).toMatchObject({ kind: 'session' });
    await test.revokeKey(id);
    await test.endSession(sid);
    await eventually(async () => (await test.answerTo(bearer(key), deaf)) === refused, { withinMs: 1_000 });
    await eventually(async () => (await test.answerTo(bearer(token.text), deaf)) === refused, { withinMs: 1_000 });
  });

  it.each(['during the first reading', 'later'])('that commit out of order are not skipped: %s', async (when) => {
    const [early, late] = [await test.createKey(), await test.createKey()];
    const deaf = test.openDeaf();
    if (when === 'later') await deaf.start();
    const [revoked, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = test.owner.transaction(async (tx) => {
      await tx.query('update auth.api_key set revoked_at = $2 where key_id = $1', [early.id, new Date(0)]);
      revoked.resolve();
      await mayCommit.promise;
    });
    await revoked.promise;
    await test.revokeKey(late.id); // takes the later number, commits first
    await test.createKey(); // it is live, and its number is still greater
    if (when !== 'later') await deaf.start();
    await deaf.changed();
    expect(await test.answerTo(bearer(late.key), deaf)).toBe(refused);
    expect(await test.answerTo(bearer(early.key), deaf)).toMatchObject({ kind: 'api_key' });
    mayCommit.resolve();
    await slow;
    await deaf.changed();
    expect(await test.answerTo(bearer(early.key), deaf)).toBe(refused);
  });
});

describe('F11 with PostgreSQL away', () => {
  it('known credentials work, unknown ones are 503, and false ones 401', async () => {
    const [known, unknown] = [await test.createKey(), await test.createKey()];
    const deaf = test.openDeaf();
    await deaf.start();
    await test.revokeKey(unknown.id); // so that start has not read it as live
    const fresh = await test.createKey();
    const token = test.createToken();
    test.cutDatabase(true);
    try {
      expect(await test.answerTo(bearer(known.key), deaf)).toMatchObject({ kind: 'api_key' });
      expect(await test.answerTo(bearer(token.text), deaf)).toMatchObject({ kind: 'session' });
      expect(await test.answerTo(bearer(fresh.key), deaf)).toBe('unavailable unavailable');
      const stranger = test.createToken({}, createSigner('key-4'));
      expect(await test.answerTo(bearer(stranger.text), deaf)).toBe('unavailable unavailable');
      expect(await test.answerTo(bearer(`${token.text.slice(0, -4)}AAAA`), deaf)).toBe(refused);
      expect(await test.answerTo(bearer(`${fresh.key}x`), deaf)).toBe(refused);
      await new Promise((resolve) => setTimeout(resolve, 1_200)); // polls fail meanwhile
      expect(await test.answerTo(bearer(known.key), deaf)).toMatchObject({ kind: 'api_key' });
    } finally {
      test.cutDatabase(false);
    }
    expect(await test.answerTo(bearer(fresh.key), deaf)).toMatchObject({ kind: 'api_key' });
  });

  it('a start is refused, because nothing is known yet', async () => {
    test.cutDatabase(true);
    const cold = test.openDeaf();
    await expect(cold.start()).rejects.toThrow('connection refused');
    expect(cold.readiness?.()).toEqual({ credentials: 'not read yet' });
    test.cutDatabase(false);
  });
});

describe('the operator', () => {
  it('is the caller with the operator token, and nobody when no token is set', async () => {
    expect(await test.answerTo(bearer(test.operatorToken))).toEqual({ kind: 'operator', name: 'default' });
    expect(await test.answerTo(bearer(`${test.operatorToken}x`))).toBe(refused);
    const without = test.open({});
    expect([test.credentials.hasOperator, without.hasOperator]).toEqual([true, false]);
    expect(await test.answerTo(bearer(test.operatorToken), without)).toBe(refused);
  });
});
