import { expect, it } from '@jest/globals';
import { toBody } from './session.ts';

const known = { email: 'ada@example.com', password: 'correct horse battery' };

it('sends the code of an authenticator as one, and any other as a recovery code', () => {
  expect(toBody(known)).toEqual(known);
  expect(toBody({ ...known, code: '123 456' })).toEqual({ ...known, totp_code: '123456' });
  const recoveryCode = '7Q4ZKX-AB2MNP-WY6RTC-3HJD5E';
  expect(toBody({ ...known, code: recoveryCode })).toEqual({ ...known, recovery_code: recoveryCode });
});
