import type { Clock } from '@tollgate/kernel/clock';
import type { CookieCheck } from '@tollgate/runtime/auth/cookie-check';
import { createSessionCookie } from '@tollgate/runtime/auth/session-cookie';
import type { Database } from '@tollgate/database/database';
import type { BeginSession, UseSecondFactor } from '../accounts/begin-session.ts';
import type { SignInThrottle } from '../accounts/memory-sign-in-throttle.ts';
import type { ReadAccount } from '../accounts/read-account.ts';
import type { RecordRefusals } from '../accounts/record-refusals.ts';
import type { Config } from '../config.ts';
import type { EndSession } from '../sessions/end-session.ts';
import { browserSessionController } from './browser-session.controller.ts';
import { createProveSecondFactor } from './prove-second-factor.ts';
import { createSignInBrowser } from './sign-in-browser.ts';

interface Deps extends Pick<CookieCheck, 'sessionOfCookie'> {
  readonly api: Database;
  readonly useSecondFactor: UseSecondFactor;
  readonly realTime: Pick<Clock, 'now'>;
  readonly throttle: SignInThrottle;
  readonly beginSession: BeginSession;
  readonly recordRefusals: RecordRefusals;
  readonly endSession: EndSession;
  readonly readAccount: ReadAccount;
}

export function wireBrowserSessions(config: Config, deps: Deps) {
  const cookie = createSessionCookie(config.PUBLIC_URL);
  const signInBrowser = deps.recordRefusals.ofSignIn(createSignInBrowser(deps));
  const proveSecondFactor = deps.recordRefusals.ofChange('second_factor.proved', createProveSecondFactor(deps));
  return { controllers: [browserSessionController({ ...deps, cookie, signInBrowser, proveSecondFactor })] };
}
