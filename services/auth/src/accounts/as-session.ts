import type { Actor } from '@tollgate/runtime/http/requests/act';

/** The caller of a sign-in that has succeeded: from here on the new session acts. */
export function asSession(by: Actor, session: { readonly accountId: string; readonly sessionId: string }): Actor {
  return { ...by, kind: 'session', accountId: session.accountId, credentialId: session.sessionId };
}
