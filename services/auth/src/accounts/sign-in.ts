import type { Actor } from '@tollgate/runtime/http/requests/act';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import type { TokenAnswer } from '../sessions/access-token.ts';
import { asSession } from './as-session.ts';
import type { BeginSession, SignInCredentials } from './begin-session.ts';

export type SignIn = (credentials: SignInCredentials, by: Actor) => Promise<TokenAnswer>;

/** Throws as `BeginSession` does. */
export function createSignIn({ beginSession }: { readonly beginSession: BeginSession }): SignIn {
  return function signIn(credentials, by) {
    return beginSession(credentials, async (tx, { session, factor }) => {
      const { accountId } = session;
      const detail = factor === undefined ? undefined : { factor };
      const object = { kind: 'account', id: accountId };
      await recordAct(tx, asSession(by, session), { action: 'account.signed_in', accountId, object, detail });
    });
  };
}
