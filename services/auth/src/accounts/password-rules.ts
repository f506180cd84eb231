import { codePointLength } from '@tollgate/kernel/text';

export interface PasswordProblem {
  readonly code: 'too_short' | 'too_long' | 'too_common' | 'same_as_email';
  /** Follows the name of the field: 'must have at least 8 characters'. */
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
    return { code: 'too_short', message: `must have at least ${codePointsMin} characters` };
  if (codePoints > codePointsMax) return { code: 'too_long', message: `must have at most ${codePointsMax} characters` };
  if (rules.isCommon(password))
    return { code: 'too_common', message: 'must not be one of the 10,000 commonest passwords' };
  if (password.toLowerCase() === email) return { code: 'same_as_email', message: 'must not be the e-mail address' };
  return undefined;
}
