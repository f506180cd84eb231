import { hash, randomBytes } from 'node:crypto';
import { useOnce } from '@tollgate/testkit/use-world';
import { createNotifications } from '@tollgate/database/notifications';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { bestRunBelow, msOf } from '@tollgate/testkit/best-run';
import { eventually } from '@tollgate/testkit/eventually';
import { startFaultProxy } from '@tollgate/testkit/fault-proxy';
import { createLogger } from '../../src/logging/create-logger.ts';
import type { Credentials } from '../../src/auth/credentials.ts';
import { operatorTokenPrefix } from '../../src/auth/operator-check.ts';
import { bearer, createSigner, refused, startCredentials } from '../support/credentials-under-test.ts';

const test = useOnce(() => startCredentials());

afterEach(async () => {
  await test.resume(test.account);
  await test.reset();
});

const suspended = 'forbidden account_suspended';

/** A credential that is good now, how it ends, and whether `by` knows of it. */
interface News {
  end(): Promise<unknown>;
  isKnownTo(by: Credentials): Promise<boolean>;
}

async function revokedKey(by: Credentials): Promise<News> {
  const { key, id } = await test.createKey();
  await test.answerTo(bearer(key), by); // memory has it from now on
  return {
    end: () => test.revokeKey(id),
    isKnownTo: async (each) => (await test.answerTo(bearer(key), each)) === refused,
  };
}

async function endedSession(): Promise<News> {
  const sid = await test.createSession();
  const { text } = test.createToken({ sid });
  return {
    end: () => test.endSession(sid),
    isKnownTo: async (by) => (await test.answerTo(bearer(text), by)) === refused,
  };
}

async function suspendedAccount(by: Credentials): Promise<News> {
  await test.resume(test.account);
  await by.changed();
  const { text } = test.createToken();
  return {
    end: () => test.suspend(test.account),
    isKnownTo: async (each) => (await test.answerTo(bearer(text), each)) === suspended,
  };
}

async function deletedSigningKey(by: Credentials): Promise<News> {
  const signer = createSigner(randomBytes(4).toString('hex'));
  await test.publishKey(signer);
  await by.changed();
  const { text } = test.createToken({}, signer);
  return {
    end: () => test.owner.query('delete from auth.signing_key where key_id = $1', [signer.keyId]),
    isKnownTo: async (each) => (await test.answerTo(bearer(text), each)) === refused,
  };
}

/** A token that the statement ends, which gets its name. */
const operatorToken = (end: string) => async (): Promise<News> => {
  const name = randomBytes(4).toString('hex');
  const token = `${operatorTokenPrefix}${randomBytes(32).toString('base64url')}`;
  const put = 'insert into auth.operator_token (name, token_hash, created_at) values ($1, $2, now())';
  await test.owner.query(put, [name, hash('sha256', token, 'buffer')]);
  return {
    end: () => test.owner.query(end, [name]),
    isKnownTo: async (by) => (await test.answerTo(bearer(token), by)) === refused,
  };
};
const rotate = `update auth.operator_token set token_hash = sha256(name::bytea) where name = $1`;
const revoke = 'update auth.operator_token set revoked_at = now() where name = $1';

const kinds = [
  ['a revoked key', revokedKey],
  ['an ended session', endedSession],
  ['a suspended account', suspendedAccount],
  ['a deleted signing key', deletedSigningKey],
  ['a rotated operator token', operatorToken(rotate)],
  ['a revoked operator token', operatorToken(revoke)],
] as const;

/** The time from the end of a credential until `by` knows of it. It ends just after a poll: the next poll is far away. */
async function ageOfNews(by: Credentials, create: (by: Credentials) => Promise<News>): Promise<number> {
  const news = await create(by);
  await eventually(async () => !(await news.isKnownTo(by)), { withinMs: 5_000 });
  const reads = () => test.statements().filter((text) => text.includes('account_suspension_v1')).length;
  const before = reads();
  await eventually(() => reads() > before, { withinMs: 20_000, everyMs: 1 });
  await news.end();
  return msOf(() => eventually(() => news.isKnownTo(by), { withinMs: 20_000, everyMs: 5 }));
}

describe('F69 F135 F137 F151 with a notification', () => {
  it.each(kinds)('%s is known before the next poll', async (_what, create) => {
    expect(await bestRunBelow(250, () => ageOfNews(test.credentials, create))).toBe('held');
  });
});

describe('F69 a connection for notifications that has died without a word', () => {
  it('delays the news of a revoked key by less than a second', async () => {
    const proxy = await startFaultProxy({ port: Number(new URL(test.workerUrl).port) });
    const log = createLogger({ name: 'test', level: 'silent' });
    const notifications = createNotifications({ url: proxy.through(test.workerUrl), log });
    await notifications.start();
    const by = test.openWith(notifications);
    await by.start();
    const age = async (): Promise<number> => {
      const news = await revokedKey(by);
      expect(await news.isKnownTo(by)).toBe(false);
      // Just after an answer: the next question is far away.
      await proxy.changeAnswer(
        (bytes) => bytes.includes('select\0'),
        (answer) => answer,
      );
      proxy.stall();
      await news.end();
      const took = await msOf(() => eventually(() => news.isKnownTo(by), { withinMs: 20_000, everyMs: 5 }));
      proxy.heal();
      return took;
    };
    expect(await bestRunBelow(1_000, age)).toBe('held');
    await by.stop();
    await notifications.stop();
    await proxy.close();
  });
});

describe('F69 F135 F137 F151 without a notification', () => {
  beforeAll(() => test.credentials.stop()); // its polls would pass for those of the deaf one

  it.each(kinds)('%s is known within a second, by polling', async (_what, create) => {
    const deaf = test.openDeaf();
    await deaf.start();
    expect(await bestRunBelow(1_000, () => ageOfNews(deaf, create))).toBe('held');
  });
});
