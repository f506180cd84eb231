import { expect, it } from '@jest/globals';
import { authSuite, refusal } from '../support/auth-under-test.ts';

const auth = authSuite();

it('F69 204 ends the session: at once here, soon in another process, for refresh too', async () => {
  const other = await auth.startBeside();
  const { token } = await auth.signUp();
  expect(await other.me(token)).toMatchObject({ status: 200 });
  expect(await auth.logout(token)).toMatchObject({ status: 204, text: '' });
  expect(await auth.me(token)).toMatchObject({ status: 401 });
  await other.untilRefused(token);
  expect(await other.refresh(token)).toMatchObject(refusal(401, 'unauthorized'));
});
