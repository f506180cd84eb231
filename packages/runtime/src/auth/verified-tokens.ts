import { LRUCache } from 'lru-cache';
import type { SessionPrincipal } from '../http/requests/principal.ts';

export interface VerifiedToken {
  readonly principal: SessionPrincipal;
  readonly keyId: string;
}

/** Tokens whose signature has been checked, by their text. */
export interface VerifiedTokens {
  get(token: string): VerifiedToken | undefined;
  put(token: string, verified: VerifiedToken): void;
}

/** Bounded: the least recently used is dropped. A signature costs 67 µs and more, a look-up here about 0.1 µs. */
export function createVerifiedTokens(tokensMax = 50_000): VerifiedTokens {
  const tokens = new LRUCache<string, VerifiedToken>({ max: tokensMax });
  return { get: (token) => tokens.get(token), put: (token, verified) => void tokens.set(token, verified) };
}
