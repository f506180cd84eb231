import { hash, type KeyObject } from 'node:crypto';
import { canonicalResource } from '@tollgate/contracts/forms/resource';
import type { Clock } from '@tollgate/kernel/clock';
import { LRUCache } from 'lru-cache';
import { isId, judgeTimes } from './judge-claims.ts';
import { expiredToken, invalidToken } from './token-refusals.ts';
import { verifySignature } from './verify-access-token.ts';

/** The scope without which a token spends nothing. */
const spendScope = 'tollgate:spend';

/** The claims of an access token of OAuth: a person lets a client spend by a pass, at the server of one resource. */
export interface SpendingToken {
  /** The account that pays. */
  readonly accountId: string;
  readonly passId: string;
  readonly clientId: string;
  /** In the one spelling of the contract. */
  readonly resource: string;
  /** Epoch milliseconds. */
  readonly expiresAtMs: number;
}

export interface SpendingTokenCheck {
  /**
   * Verifies a token once. Later calls only ask whether the token and its key are alive. It says nothing of the pass. Rejects
   * with `unauthorized` for a token that is forged, altered, foreign or expired, and for one of a session.
   */
  spendingToken(token: string): Promise<SpendingToken>;
}

export interface SpendingTokenCheckDeps {
  /** Finds a key of OAuth; undefined for none, and for a key of sessions. */
  readonly oauthKey: (keyId: string) => Promise<KeyObject | undefined>;
  /** Undefined: no token is good. */
  readonly issuer: string | undefined;
  readonly clock: Pick<Clock, 'now'>;
}

/** Bounded: the least recently used is dropped. The tokens themselves are not kept, some 300 bytes each are. */
const verifiedMax = 50_000;

export function createSpendingTokenCheck({ oauthKey, issuer, clock }: SpendingTokenCheckDeps): SpendingTokenCheck {
  const verified = new LRUCache<string, SpendingToken & { readonly keyId: string }>({ max: verifiedMax });
  return {
    async spendingToken(token) {
      const name = hash('sha256', token, 'base64');
      const known = verified.get(name);
      // A withdrawn key takes its tokens with it, also those that were verified before.
      if (known !== undefined && (await oauthKey(known.keyId)) !== undefined) return living(known, clock.now());
      if (issuer === undefined) throw invalidToken('no issuer');
      const nowMs = clock.now();
      const { keyId, payload } = await verifySignature(token, { issuer, nowMs, keyOf: oauthKey });
      const found = { ...toSpendingToken(payload, nowMs), keyId };
      verified.set(name, found);
      return found;
    },
  };
}

function living<Token extends SpendingToken>(token: Token, nowMs: number): Token {
  if (token.expiresAtMs <= nowMs) throw expiredToken(nowMs);
  return token;
}

function toSpendingToken(payload: Readonly<Record<string, unknown>>, nowMs: number): SpendingToken {
  const { sub, aud, scope, client_id: clientId, pass_id: passId } = payload;
  if (!isId(sub) || !isId(passId)) throw invalidToken('an id is missing or malformed');
  if (typeof clientId !== 'string' || clientId === '') throw invalidToken('no client');
  const resource = typeof aud === 'string' ? canonicalResource(aud) : undefined;
  if (resource === undefined) throw invalidToken('not one resource');
  if (typeof scope !== 'string' || !scope.split(' ').includes(spendScope)) throw invalidToken('not for spending');
  const expiresAtMs = judgeTimes(payload, { nowMs, expiry: 'enforced' });
  return { accountId: sub, passId, clientId, resource, expiresAtMs };
}
