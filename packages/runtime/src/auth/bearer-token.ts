import { AppError } from '@tollgate/kernel/app-error';

const bearer = /^bearer +([^\s,]+) *$/i;

/** The token of an `Authorization: Bearer …` header. Throws `unauthorized` for anything else. */
export function bearerOf(authorization: string | undefined): string {
  const token = tokenOf(authorization);
  if (token !== undefined) return token;
  const message = 'Send the header Authorization: Bearer followed by an access token or an API key.';
  throw new AppError('unauthorized', message);
}

/** The same, or undefined for anything else. */
export function tokenOf(authorization: string | undefined): string | undefined {
  return bearer.exec(authorization ?? '')?.[1];
}
