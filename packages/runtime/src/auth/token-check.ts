import type { KeyObject } from 'node:crypto';
import type { Clock } from '@tollgate/kernel/clock';
import type { CredentialDirectory } from './credential-directory.ts';
import { judgeClaims, type TokenClaims } from './judge-claims.ts';
import type { SessionPrincipal } from '../http/requests/principal.ts';
import { expiredToken, invalidToken, suspendedAccount } from './token-refusals.ts';
import { verifyAccessToken } from './verify-access-token.ts';
import { LRUCache } from 'lru-cache';

/** The session of an access token, and the token. */
export interface TokenPrincipal extends SessionPrincipal {
  readonly tokenId: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

interface VerifiedToken {
  readonly principal: TokenPrincipal;
  readonly keyId: string;
}

/** Tokens whose signature has been checked, by their text. */
interface VerifiedTokens {
  get(token: string): VerifiedToken | undefined;
  put(token: string, verified: VerifiedToken): void;
}

/** Bounded: the least recently used is dropped. A signature costs 67 µs and more, a look-up here about 0.1 µs. */
function createVerifiedTokens(tokensMax = 50_000): VerifiedTokens {
  const tokens = new LRUCache<string, VerifiedToken>({ max: tokensMax });
  return { get: (token) => tokens.get(token), put: (token, verified) => void tokens.set(token, verified) };
}

export interface TokenCheckOptions {
  readonly directory: CredentialDirectory;
  readonly clock: Clock;
  readonly config: { readonly issuer: string; readonly audience: string };
}

/**
 * Every method throws, or rejects with, `unauthorized` for a token that is not good, and `account_suspended` for a good
 * token of a suspended account.
 */
export interface TokenCheck {
  /** Verifies a token once. Later calls only ask whether the token, its key and its session are alive, and answer at once. */
  sessionOfToken(token: string): TokenPrincipal | Promise<TokenPrincipal>;
  /** For a payload whose signature, issuer and audience the caller has verified. */
  sessionOfClaims(payload: Readonly<Record<string, unknown>>): TokenPrincipal;
  /** Undefined: no such key. A key that memory does not know is looked up once; rejects with `unavailable` if it cannot be. */
  signingKey(keyId: string): Promise<KeyObject | undefined>;
  /** As `signingKey`, for access tokens that clients got by OAuth. */
  oauthKey(keyId: string): Promise<KeyObject | undefined>;
}

export function createTokenCheck({ directory, clock, config }: TokenCheckOptions): TokenCheck {
  const verified = createVerifiedTokens();
  const rules = () => ({ ...config, nowMs: clock.now(), expiry: 'enforced', keyOf: signingKey }) as const;

  async function verify(token: string): Promise<TokenPrincipal> {
    const { keyId, ...claims } = await verifyAccessToken(token, rules());
    const principal = living(toPrincipal(claims));
    verified.put(token, { principal, keyId });
    return principal;
  }

  const signingKey = createFindKey(directory, directory.signingKey);

  function living(principal: TokenPrincipal): TokenPrincipal {
    const nowMs = clock.now();
    if (principal.expiresAt <= nowMs) throw expiredToken(nowMs);
    if (directory.isEnded(principal.sessionId)) throw invalidToken('the session has ended');
    if (directory.isSuspended(principal.accountId)) throw suspendedAccount();
    return principal;
  }

  return {
    sessionOfToken(token) {
      const known = verified.get(token);
      // A withdrawn key takes its tokens with it, also those that were verified before.
      return known && directory.signingKey(known.keyId) ? living(known.principal) : verify(token);
    },
    sessionOfClaims: (payload) => living(toPrincipal(judgeClaims(payload, rules()))),
    signingKey,
    oauthKey: createFindKey(directory, directory.oauthKey),
  };
}

/** Looks once more, after a refresh, for a key that memory does not know. */
function createFindKey(directory: Pick<CredentialDirectory, 'refresh'>, known: CredentialDirectory['signingKey']) {
  return async function findKey(keyId: string): Promise<KeyObject | undefined> {
    const key = known(keyId);
    if (key) return key;
    await directory.refresh();
    return known(keyId);
  };
}

function toPrincipal({ accountId, sessionId, tokenId, expiresAt }: TokenClaims): TokenPrincipal {
  return { kind: 'session', accountId, sessionId, tokenId, expiresAt };
}
