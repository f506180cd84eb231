import { describe, expect, it } from '@jest/globals';
import { isCommonPassword } from './common-passwords.ts';

describe('isCommonPassword', () => {
  it.each(['password', '12345678', 'password1', 'Password1', 'QWERTYUIOP', 'p@ssw0rd'])('knows %s', (password) => {
    expect(isCommonPassword(password)).toBe(true);
  });

  it.each(['correct horse battery staple', '', '__proto__', 'constructor'])('does not know %p', (password) => {
    expect(isCommonPassword(password)).toBe(false);
  });
});
