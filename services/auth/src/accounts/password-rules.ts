import { codePointLength } from '@tollgate/kernel/text';

export interface PasswordProblem {
  readonly code: 'too_short' | 'too_long' | 'too_common' | 'same_as_email';
  readonly message: string;
}

export interface PasswordRules {
  readonly codePointsMin: number;
  isCommon(password: string): boolean;
}

const codePointsMax = 128;

/** The first rule that a new password breaks, or undefined. Judges the password as sent, neither trimmed nor normalised. */
export function findPasswordProblem(
  { password, email }: { password: string; email: string },
  rules: PasswordRules,
): PasswordProblem | undefined {
  const { codePointsMin } = rules;
  const codePoints = codePointLength(password);
  if (codePoints < codePointsMin)
    return { code: 'too_short', message: `A password has at least ${codePointsMin} characters.` };
  if (codePoints > codePointsMax)
    return { code: 'too_long', message: `A password has at most ${codePointsMax} characters.` };
  if (rules.isCommon(password))
    return { code: 'too_common', message: 'This password is among the 10,000 commonest; choose another.' };
  if (password.toLowerCase() === email)
    return { code: 'same_as_email', message: 'The password must not be the e-mail address.' };
  return undefined;
}
