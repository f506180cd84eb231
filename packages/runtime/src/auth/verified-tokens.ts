import type { SessionPrincipal } from './principal.ts';

export interface VerifiedToken {
  readonly principal: SessionPrincipal;
  readonly keyId: string;
}

/** Tokens whose signature has been checked, by their text. */
export interface VerifiedTokens {
  get(token: string): VerifiedToken | undefined;
  put(token: string, verified: VerifiedToken): void;
}

/**
 * Bounded: two generations of half the size each; what is used moves to the young one, what is not used is dropped with
 * the old one. A signature costs 67 µs and more, a look-up here well under one.
 */
export function createVerifiedTokens(tokensMax = 50_000): VerifiedTokens {
  let young = new Map<string, VerifiedToken>();
  let old = new Map<string, VerifiedToken>();

  function put(token: string, verified: VerifiedToken): void {
    if (young.size >= tokensMax / 2) {
      old = young;
      young = new Map();
    }
    young.set(token, verified);
  }

  function get(token: string): VerifiedToken | undefined {
    const verified = young.get(token);
    if (verified) return verified;
    const older = old.get(token);
    if (older) put(token, older);
    return older;
  }

  return { get, put };
}
