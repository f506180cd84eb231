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
}

interface Deps {
  readonly directory: Pick<CredentialDirectory, 'apiKey' | 'lookUpApiKey'>;
  readonly keyUse: Pick<Use, 'note'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly findPass: FindPass | undefined;
  readonly refuseSuspended: (accountId: string) => void;
}

/** Some 200 bytes each. */
const hashesKeptMax = 20_000;

export function createKeyCheck({ directory, keyUse, clock, findPass, refuseSuspended }: Deps): KeyCheck {
  function usedKey(key: ApiKeyPrincipal | undefined): ApiKeyPrincipal {
    if (!key) throw invalidToken('unknown or revoked API key');
    if (key.expiresAt !== undefined && key.expiresAt <= clock.now()) throw expiredKey(clock.now());
    refuseSuspended(key.accountId);
    keyUse.note(key.keyId);
    return key;
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
    principalOfPass(key) {
      if (!isPassKey(key)) throw invalidToken('not a pass of ours');
      if (findPass === undefined) throw passOpensLittle();
      const found = findPass(hashApiKey(key).toString('base64'));
      return found instanceof Promise ? found.then(usedPass) : usedPass(found);
    },
  };
}
