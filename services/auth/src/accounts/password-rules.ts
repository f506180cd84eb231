import { codePointLength } from '@tollgate/kernel/text';

export interface PasswordProblem {
  readonly code: 'too_short' | 'too_long' | 'only_blanks' | 'too_common' | 'product_name' | 'same_as_email';
  /** Follows the name of the field: 'must have at least 8 characters'. */
  readonly message: string;
}

export interface PasswordRules {
  readonly codePointsMin: number;
  isBreached(password: string): boolean;
}

/** The least that PASSWORD_MIN_LENGTH may be; the list of breached passwords has no shorter ones. */
export const passwordCodePointsMin = 8;
const codePointsMax = 128;
const productName = 'tollgate';
// The list refuses one of 65,536 good passwords of 10 to 19 characters (ADR 169): the message must be true of these, too.
const breachedMessage =
  'is known from a breach, or by chance taken for one that is: choose another, best of 20 characters or more';

/** The first rule that a new password breaks, or undefined. Judges the password as sent, neither trimmed nor normalised. */
export function findPasswordProblem(
  { password, email }: { password: string; email: string },
  rules: PasswordRules,
): PasswordProblem | undefined {
  const { codePointsMin } = rules;
  const codePoints = codePointLength(password);
  if (codePoints < codePointsMin)
    return { code: 'too_short', message: `must have at least ${codePointsMin} characters` };
  if (codePoints > codePointsMax) return { code: 'too_long', message: `must have at most ${codePointsMax} characters` };
  if (/^[\p{White_Space}\p{Default_Ignorable_Code_Point}]*$/u.test(password))
    return { code: 'only_blanks', message: 'must not be blanks alone' };
  if (rules.isBreached(password)) return { code: 'too_common', message: breachedMessage };
  if (isProductName(password))
    return { code: 'product_name', message: `must not be the name ${productName} with a few characters` };
  if (password.toLowerCase() === email) return { code: 'same_as_email', message: 'must not be the e-mail address' };
  return undefined;
}

/** Also as T0llg4te. Beside the name there must be as much as a whole password has. */
function isProductName(password: string): boolean {
  const plain = password.toLowerCase().replaceAll(/[01345@$]/g, (digit) => letterFor[digit] ?? digit);
  if (!plain.includes(productName)) return false;
  return codePointLength(plain.replaceAll(productName, '').replaceAll(/\s/g, '')) < passwordCodePointsMin;
}

const letterFor: Readonly<Record<string, string>> = { 0: 'o', 1: 'l', 3: 'e', 4: 'a', 5: 's', '@': 'a', $: 's' };
