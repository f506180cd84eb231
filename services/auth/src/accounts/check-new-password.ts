import { AppError } from '@tollgate/kernel/app-error';
import { findPasswordProblem, type PasswordRules } from './password-rules.ts';

export interface NewPassword {
  readonly password: string;
  readonly email: string;
  /** Where the request carries it. */
  readonly pointer: string;
}

/** Throws `invalid` with the pointer of the field that carried the password. */
export function checkNewPassword(candidate: NewPassword, rules: PasswordRules): void {
  const problem = findPasswordProblem(candidate, rules);
  if (problem === undefined) return;
  throw new AppError('invalid_request', problem.message, {
    errors: [{ pointer: candidate.pointer, ...problem }],
  });
}
