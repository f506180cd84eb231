import { AppError } from '@tollgate/kernel/app-error';
import { findPasswordProblem, type PasswordRules } from './password-rules.ts';

export interface NewPassword {
  readonly password: string;
  readonly email: string;
  /** The field of the request that carries the password. */
  readonly pointer: string;
}

/** Throws `invalid_request`, which names the field that carries the password. */
export function checkNewPassword(candidate: NewPassword, rules: PasswordRules): void {
  const problem = findPasswordProblem(candidate, rules);
  if (problem === undefined) return;
  throw new AppError('invalid_request', `The password ${problem.message}.`, {
    errors: [{ pointer: candidate.pointer, ...problem }],
  });
}
