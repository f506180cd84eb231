import type { Clock } from '@tollgate/kernel/clock';
import type { Actor } from '@tollgate/runtime/http/requests/act';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import { createSessionSecret, hashApiKey } from '@tollgate/runtime/auth/api-key-format';
import { asSession } from '../accounts/as-session.ts';
import type { BeginSession, SignInCredentials } from '../accounts/begin-session.ts';
import { insertSessionCookie } from '../sessions/sql-session-cookie.ts';

interface Deps {
  readonly beginSession: BeginSession;
  readonly realTime: Pick<Clock, 'now'>;
}

/** The new session, and the secret that its browser alone holds. */
export interface BrowserSession {
  readonly accountId: string;
  readonly secret: string;
}

export type SignInBrowser = (credentials: SignInCredentials, by: Actor) => Promise<BrowserSession>;

/** Throws as `BeginSession` does. The access token that comes with a session is dropped here, and nobody gets it. */
export function createSignInBrowser({ beginSession, realTime }: Deps): SignInBrowser {
  return async function signInBrowser(credentials, by) {
    const secret = createSessionSecret();
    let accountId = '';
    await beginSession(credentials, async (tx, { session, factor }) => {
      ({ accountId } = session);
      const cookieHash = hashApiKey(secret);
      const shown = { createdAt: realTime.now(), hasShownFactor: factor !== undefined };
      await insertSessionCookie(tx, { ...session, cookieHash, ...shown });
      const detail = { by: 'browser', ...(factor !== undefined && { factor }) };
      const object = { kind: 'account', id: accountId };
      await recordAct(tx, asSession(by, session), { action: 'account.signed_in', accountId, object, detail });
    });
    return { accountId, secret };
  };
}
