import { dayMs } from '@tollgate/kernel/durations';
import { expect, it } from '@jest/globals';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { rotateSigningKey } from '../../src/operator.ts';
import { createSweepExpired } from '../../src/sweep/sweep-expired.ts';
import { authSuite } from '../support/auth-under-test.ts';

const log = createLogger({ name: 'test', level: 'silent' });
const nothing = {
  sessions: 0,
  api_keys: 0,
  signing_keys: 0,
  device_logins: 0,
  embeds: 0,
  letters: 0,
  mail_links: 0,
  oauth_objects: 0,
};
const auth = authSuite();

it('the sweep deletes only rows that no request can need any more, after all services have had time to see the change', async () => {
  const worker = auth.connectAs('auth_worker');
  const times = { clock: auth.clock, realTime: auth.realTime };
  const start = () => createSweepExpired({ worker, ...times, accessTokenTtlMs: 3_600_000 });
  const sweep = start();
  const { token } = await auth.signUp();
  const { token: kept } = await auth.signUp();
  const { id } = await auth.createKey(token);
  await auth.send('DELETE', `/v1/api-keys/${id}`, { token });
  await auth.logout(token);
  await rotateSigningKey(auth.config, { clock: auth.clock, log });

  expect(await sweep()).toEqual(nothing);
  expect(await sweep()).toEqual(nothing);
  auth.clock.advance(29 * dayMs);
  await auth.refresh(kept);
  auth.clock.advance(4 * dayMs);
  const justStarted = start(); // it cannot know which changes the other services have seen, however old the rows look
  expect(await justStarted()).toEqual({ ...nothing, signing_keys: 1 });
  expect(await sweep()).toEqual({ ...nothing, sessions: 1, api_keys: 1 });
  expect(await sweep()).toEqual(nothing);
  expect(await auth.owner.query('select session_id from auth.session')).toHaveLength(1);
});
