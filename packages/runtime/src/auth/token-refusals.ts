import { AppError } from '@tollgate/kernel/app-error';

export function expiredToken(): AppError {
  return new AppError('unauthorized', 'The access token has expired; refresh it or sign in again.');
}

/** The message is the same whatever is wrong, so a forger learns nothing from it. The reason is for the log. */
export function invalidToken(reason: string, cause?: unknown): AppError {
  return new AppError('unauthorized', 'The credential is not valid.', { detail: reason, cause });
}
