import type { Clock } from '@tollgate/kernel/clock';
import { hashApiKey, isApiKey, isPassKey } from './api-key-format.ts';
import type { CredentialDirectory } from './credential-directory.ts';
import type { KeyUse } from './key-use.ts';
import type { ApiKeyPrincipal, PassPrincipal } from './principal.ts';
import { expiredKey, invalidToken, passOpensLittle } from './token-refusals.ts';

export type FindPass = (keyHash: string) => PassPrincipal | undefined | Promise<PassPrincipal | undefined>;

/** Every method throws, or rejects, as `Credentials.authenticate` does. */
export interface KeyCheck {
  principalOfKey(key: string): ApiKeyPrincipal | Promise<ApiKeyPrincipal>;
  principalOfPass(key: string): PassPrincipal | Promise<PassPrincipal>;
}

interface Deps {
  readonly directory: Pick<CredentialDirectory, 'apiKey' | 'lookUpApiKey'>;
  readonly keyUse: Pick<KeyUse, 'note'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly findPass: FindPass | undefined;
  readonly refuseSuspended: (accountId: string) => void;
}

export function createKeyCheck({ directory, keyUse, clock, findPass, refuseSuspended }: Deps): KeyCheck {
  function usedKey(key: ApiKeyPrincipal | undefined): ApiKeyPrincipal {
    if (!key) throw invalidToken('unknown or revoked API key');
    if (key.expiresAt !== undefined && key.expiresAt <= clock.now()) throw expiredKey();
    refuseSuspended(key.accountId);
    keyUse.note(key.keyId);
    return key;
  }

  function usedPass(pass: PassPrincipal | undefined): PassPrincipal {
    if (!pass) throw invalidToken('unknown, revoked or expired pass');
    refuseSuspended(pass.accountId);
    return pass;
  }

  return {
    principalOfKey(key) {
      if (!isApiKey(key)) throw invalidToken('not an API key of ours');
      const keyHash = hashApiKey(key).toString('base64');
      const known = directory.apiKey(keyHash);
      return known ? usedKey(known) : directory.lookUpApiKey(keyHash).then(usedKey);
    },
    principalOfPass(key) {
      if (!isPassKey(key)) throw invalidToken('not a pass of ours');
      if (findPass === undefined) throw passOpensLittle();
      const found = findPass(hashApiKey(key).toString('base64'));
      return found instanceof Promise ? found.then(usedPass) : usedPass(found);
    },
  };
}
