import { describe, expect, it } from '@jest/globals';
import { findPasswordProblem } from './password-rules.ts';

const rules = { codePointsMin: 8, isBreached: (password: string) => password === 'password1' };
const email = 'ada@example.com';

describe('findPasswordProblem', () => {
  it.each([
    ['seven characters', '1234567', 'too_short'],
    ['seven characters of two UTF-16 units each', '\u{1f600}'.repeat(7), 'too_short'],
    ['129 characters', 'x'.repeat(129), 'too_long'],
    ['a breached one', 'password1', 'too_common'],
    ['eight blanks', '        ', 'only_blanks'],
    ['blanks that are none of ASCII', '\u00a0\u2003\u3000\u200b\u00ad\t\n \u2009', 'only_blanks'],
    ['the name of the product', 'Tollgate', 'product_name'],
    ['the name of the product, with a year', 'tollgate2026!', 'product_name'],
    ['the name of the product twice', 'tollgate tollgate', 'product_name'],
    ['the name of the product in digits', 'T0llg4t3', 'product_name'],
    ['the e-mail', email, 'same_as_email'],
    ['the e-mail in other case', 'ADA@example.com', 'same_as_email'],
  ])('refuses %s', (_title, password, code) => {
    expect(findPasswordProblem({ password, email }, rules)?.code).toBe(code);
  });

  it('says the way out of a refusal by chance', () => {
    const { message } = findPasswordProblem({ password: 'password1', email }, rules) ?? {};
    expect(message).toMatch(/by chance .* choose another, best of 20 characters or more/);
  });

  it.each([
    ['eight characters', 'fG4!kk2p'],
    [
      'eight characters of two UTF-16 units each',
      '\u{1f600}\u{1f601}\u{1f602}\u{1f603}\u{1f604}\u{1f605}\u{1f606}\u{1f607}',
    ],
    ['128 characters of two UTF-16 units each', '\u{1f600}'.repeat(128)],
    ['blanks around it, as sent', '  fG4!  '],
    ['the name of the product in a longer one', 'a horse at the tollgate'],
  ])('accepts %s', (_title, password) => {
    expect(findPasswordProblem({ password, email }, rules)).toBeUndefined();
  });
});
