import { redIn, type RedCheck } from './red-check.ts';

/** The defences of the sessions of browsers. */
export const cookieRedChecks: readonly RedCheck[] = [
  ...redIn('services/auth/test/browser-sessions/browser-sessions.int.test.ts', [
    ['cookie-from-any-page', 'and from nowhere else: a change without our Origin', /[+] +"status": 201/],
    ['cookie-of-ended-session', 'when the password is changed elsewhere', /not within 1000 ms/],
  ]),
  ...redIn('services/auth/test/operator-accounts/operator-accounts.int.test.ts', [
    ['operator-without-fresh-code', 'moves money and rights with a code', /[+] +"status": 200/],
  ]),
];
