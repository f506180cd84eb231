import { describe, expect, it } from '@jest/globals';
import { createIsCommonPassword } from './common-passwords.ts';

const isCommonPassword = createIsCommonPassword();

describe('isCommonPassword', () => {
  it.each([
    'password',
    '12345678',
    '87654321',
    '00000000',
    'password1',
    'Password1',
    'QWERTYUIOP',
    '1q2w3e4r',
    'qwerty123456',
  ])('knows %s', (password) => {
    expect(isCommonPassword(password)).toBe(true);
  });

  it.each(['correct horse battery staple', '', ' password', '__proto__', 'constructor'])(
    'does not know %p',
    (password) => {
      expect(isCommonPassword(password)).toBe(false);
    },
  );
});
