import type { KeyObject } from 'node:crypto';
import type { Clock } from '@tollgate/kernel/clock';
import type { CredentialDirectory } from './credential-directory.ts';
import type { SessionPrincipal } from './principal.ts';
import { createVerifiedTokens } from './verified-tokens.ts';
import { expiredToken, invalidToken, verifyAccessToken } from './verify-access-token.ts';

export interface TokenCheckOptions {
  readonly directory: CredentialDirectory;
  readonly clock: Clock;
  readonly config: { readonly issuer: string; readonly audience: string };
}

/** At once for a token that was verified before. */
export type CheckToken = (token: string) => SessionPrincipal | Promise<SessionPrincipal>;

/** Whose session an access token is: verified once, and each time asked whether it, its key and its session still live. */
export function createTokenCheck({ directory, clock, config }: TokenCheckOptions): CheckToken {
  const verified = createVerifiedTokens();

  async function verify(token: string): Promise<SessionPrincipal> {
    const { issuer, audience } = config;
    const rules = { issuer, audience, nowMs: clock.now(), expiry: 'enforced', keyOf } as const;
    const { accountId, sessionId, tokenId, expiresAt, keyId } = await verifyAccessToken(token, rules);
    const principal = living({ kind: 'session', accountId, sessionId, tokenId, expiresAt });
    verified.put(token, { principal, keyId });
    return principal;
  }

  async function keyOf(keyId: string): Promise<KeyObject | undefined> {
    const key = directory.signingKey(keyId);
    if (key) return key;
    await directory.refresh();
    return directory.signingKey(keyId);
  }

  function living(principal: SessionPrincipal): SessionPrincipal {
    if (principal.expiresAt <= clock.now()) throw expiredToken();
    if (directory.isEnded(principal.sessionId)) throw invalidToken('the session has ended');
    return principal;
  }

  return function checkToken(token) {
    const known = verified.get(token);
    // A key that was withdrawn takes its tokens with it, also those that were verified before.
    return known && directory.signingKey(known.keyId) ? living(known.principal) : verify(token);
  };
}
