import type { Clock } from '@tollgate/kernel/clock';
import { hashApiKey, isApiKey, isPassKey } from './api-key-format.ts';
import type { CredentialDirectory } from './credential-directory.ts';
import type { Use } from './key-use.ts';
import type { ApiKeyPrincipal, PassPrincipal } from '../http/requests/principal.ts';
import { expiredKey, invalidToken, passOpensLittle } from './token-refusals.ts';

export type FindPass = (keyHash: string) => PassPrincipal | undefined | Promise<PassPrincipal | undefined>;

/** Every method throws, or rejects, as `Credentials.authenticate` does. */
export interface KeyCheck {
  principalOfKey(key: string): ApiKeyPrincipal | Promise<ApiKeyPrincipal>;
  principalOfPass(key: string): PassPrincipal | Promise<PassPrincipal>;
  /**
   * The principal of a header with an API key that memory knows as live, in its usual writing. Undefined for all else, of which
   * `authenticate` knows what it is.
   */
  knownKey(authorization: string | undefined): ApiKeyPrincipal | undefined;
}

interface Deps {
  readonly directory: Pick<CredentialDirectory, 'apiKey' | 'lookUpApiKey' | 'isSuspended'>;
  readonly keyUse: Pick<Use, 'note'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly findPass: FindPass | undefined;
  readonly refuseSuspended: (accountId: string) => void;
  /** Whether a token is compared with the operator's, and so counts as a try of an address. */
  readonly isCandidate: (token: string) => boolean;
}

const usualStart = 'Bearer ';

/** Some 200 bytes each. */
const hashesKeptMax = 20_000;

export function createKeyCheck(deps: Deps): KeyCheck {
  const { directory, keyUse, clock, findPass, refuseSuspended, isCandidate } = deps;

  function usedKey(key: ApiKeyPrincipal | undefined): ApiKeyPrincipal {
    if (!key) throw invalidToken('unknown or revoked API key');
    if (isExpired(key)) throw expiredKey(clock.now());
    refuseSuspended(key.accountId);
    keyUse.note(key.keyId);
    return key;
  }

  function isExpired({ expiresAt }: ApiKeyPrincipal): boolean {
    return expiresAt !== undefined && expiresAt <= clock.now();
  }

  function usedPass(pass: PassPrincipal | undefined): PassPrincipal {
    if (!pass) throw invalidToken('unknown, revoked or expired pass');
    refuseSuspended(pass.accountId);
    return pass;
  }

  /**
   * The hashes of live keys are kept: checksum and hash cost each request 1 to 2 µs. Whether the key is still live is asked
   * by its hash each time: a revoked key is refused as soon as the directory has forgotten it.
   */
  const hashes = new Map<string, string>();

  function keep(key: string, hash: string): void {
    if (hashes.size >= hashesKeptMax) hashes.clear(); // a process with more keys than this hashes them again
    hashes.set(key, hash);
  }

  return {
    principalOfKey(key) {
      const kept = hashes.get(key);
      if (kept === undefined && !isApiKey(key)) throw invalidToken('not an API key of ours');
      const keyHash = kept ?? hashApiKey(key).toString('base64');
      const known = directory.apiKey(keyHash);
      if (known === undefined) return directory.lookUpApiKey(keyHash).then(usedKey);
      if (kept === undefined) keep(key, keyHash);
      return usedKey(known);
    },
    knownKey(authorization) {
      if (authorization?.startsWith(usualStart) !== true) return undefined;
      const token = authorization.slice(usualStart.length);
      const hash = hashes.get(token);
      const key = hash === undefined || isCandidate(token) ? undefined : directory.apiKey(hash);
      if (key === undefined || isExpired(key) || directory.isSuspended(key.accountId)) return undefined;
      keyUse.note(key.keyId);
      return key;
    },
    principalOfPass(key) {
      if (!isPassKey(key)) throw invalidToken('not a pass of ours');
      if (findPass === undefined) throw passOpensLittle();
      const found = findPass(hashApiKey(key).toString('base64'));
      return found instanceof Promise ? found.then(usedPass) : usedPass(found);
    },
  };
}
