import type { Answer } from '@tollgate/sdk/edge';
import { call, send } from '../api/call.ts';

export interface Credentials {
  readonly email: string;
  readonly password: string;
  /** A code of the second factor, for an account that has one. */
  readonly code?: string;
}

const address = '/v1/auth/session';

/** Begins a session, whose cookie only the browser sees. */
export async function signIn(credentials: Credentials): Promise<void> {
  await send('POST', address, { body: toBody(credentials) });
}

/** An authenticator shows six digits; all else is a recovery code. */
export function toBody({ email, password, code }: Credentials): object {
  return code === undefined ? { email, password } : { email, password, ...toProof(code) };
}

/** The part of a body that has a code. */
export function toProof(code: string): { totp_code: string } | { recovery_code: string } {
  const digits = code.replace(/\s/g, '');
  return /^\d{6}$/.test(digits) ? { totp_code: digits } : { recovery_code: code };
}

export async function signOut(): Promise<void> {
  await send('DELETE', address);
}

/** Creates an account and signs in. The token of the registration is for programs: it ends here. */
export async function signUp({ email, password }: Credentials): Promise<void> {
  const { access_token: token } = (await call('register', { body: { email, password } })) as Answer<'register'>;
  await send('POST', '/v1/auth/logout', { token });
  await signIn({ email, password });
}
