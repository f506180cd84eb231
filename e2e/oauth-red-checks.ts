import { redIn, type RedCheck } from './red-check.ts';

/** The defences of consents and of the tokens that come of them. */
export const oauthRedChecks: readonly RedCheck[] = [
  ...redIn('services/auth/test/oauth/attacks.int.test.ts', [
    ['oauth-form-not-compared', 'counts only with the token of its own page', /Expected: 403/],
    ['oauth-code-given-to-many', 'gives tokens once to many who send it at once', /Expected length: 1/],
    ['oauth-browser-not-known', 'needs the sign-in of its own interaction', /Expected substring: "<h1>Sign in<\/h1>"/],
  ]),
  ...redIn('services/auth/test/oauth/consent.int.test.ts', [
    ['oauth-pass-not-looked-at', 'because its owner revokes it refreshes no token', /[+] +"status": 200/],
    ['oauth-paused-pass-refreshed', 'F358 that is paused refreshes no token', /[+] +"status": 200/],
    ['oauth-used-token-taken', 'that is used again after 10 s ends its consent', /[+] +"status": 200/],
    ['oauth-successor-not-kept', 'has one successor, however many requests cross', /Expected: 1/],
  ]),
  ...redIn('services/auth/test/accounts/public-name.int.test.ts', [
    ['public-name-taken-as-spelt', 'F381 gives no two accounts names that look alike', /[+] +200,/],
  ]),
  ...redIn('services/auth/test/oauth/consent.int.test.ts', [
    ['consent-silent-without-means', 'F382 says that there is nothing to pay with', /Expected pattern/],
  ]),
  ...redIn('e2e/distributed/oauth-behind-the-edge.long.int.test.ts', [
    ['oauth-end-keeps-the-pass', 'F359 a token of any auth is refreshed', /not within 1000 ms/],
  ]),
  ...redIn('packages/runtime/test/auth/credentials.int.test.ts', [
    ['oauth-key-of-any-use', 'F302 signed by a key of OAuth is no session', /Expected: "unauthenticated unauthorized"/],
  ]),
];
