/**
 * Who is calling: API keys, access tokens and the operator's token, judged from memory. Every service that must
 * authenticate has one. It follows the auth service's published views: NOTIFY `auth_changed` and polling as the net, so a
 * revoked key or an ended session is refused within a second. What memory does not know is looked up once. With
 * PostgreSQL away known credentials go on working and unknown ones are 503, since nobody can tell that they are wrong.
 */
import { hash, timingSafeEqual } from 'node:crypto';
import type { Clock } from '@tollgate/kernel/clock';
import type { Service } from '@tollgate/kernel/service';
import type { Logger } from '../logging/create-logger.ts';
import type { Database } from '@tollgate/database/database';
import type { Notifications } from '@tollgate/database/notifications';
import { hashApiKey, isApiKey, looksLikeApiKey } from './api-key-format.ts';
import { bearerOf } from './bearer-token.ts';
import { createCredentialDirectory } from './credential-directory.ts';
import { createFollower } from './follow-changes.ts';
import { createKeyUse } from './key-use.ts';
import type { ApiKeyPrincipal, Principal } from './principal.ts';
import { createTokenCheck } from './token-check.ts';
import { invalidToken } from './verify-access-token.ts';

export interface CredentialsOptions {
  /** As a worker role that may read auth's directories. Started and stopped by its owner. */
  readonly database: Database;
  readonly notifications: Pick<Notifications, 'on'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly config: CredentialsConfig;
  /** Told the hash of each key that PostgreSQL says is revoked, for those who may not hear of it. */
  readonly onKeyRevoked?: ((keyHash: string) => void) | undefined;
}

export interface CredentialsConfig {
  readonly issuer: string;
  readonly audience: string;
  /** OPERATOR_TOKEN; without it nobody is the operator. */
  readonly operatorToken?: string | undefined;
}

export interface Credentials extends Service {
  readonly hasOperator: boolean;
  /**
   * Who the `Authorization` header speaks for; at once when it is known. Throws, or rejects with, `unauthenticated`
   * when it speaks for nobody and `unavailable` when that cannot be known.
   */
  authenticate(authorization: string | undefined): Principal | Promise<Principal>;
  /** Re-reads now: for whoever has just changed a credential and must not wait for the news. */
  changed(): Promise<void>;
  /**
   * A key that somebody says is revoked is looked up when it comes next. So it is refused or, where PostgreSQL cannot be
   * asked, `unavailable`; and who was wrong, or lied, has cost a look-up.
   */
  forgetKey(keyHash: string): void;
}

export function createCredentials(options: CredentialsOptions): Credentials {
  const { database: db, clock, config, onKeyRevoked: onRevoked = () => undefined } = options;
  const directory = createCredentialDirectory({ db, clock, onRevoked });
  const authenticateToken = createTokenCheck({ directory, clock, config });
  const isOperator = createOperatorCheck(config.operatorToken);
  const keyUse = createKeyUse(options);
  const follower = createFollower({ ...options, channel: 'auth_changed', refresh: directory.refresh });

  function authenticate(authorization: string | undefined): Principal | Promise<Principal> {
    const token = bearerOf(authorization);
    if (looksLikeApiKey(token)) return authenticateKey(token);
    return isOperator(token) ? { kind: 'operator' } : authenticateToken(token);
  }

  function authenticateKey(key: string): Principal | Promise<Principal> {
    if (!isApiKey(key)) throw invalidToken('not an API key of ours');
    const keyHash = hashApiKey(key).toString('base64');
    const known = directory.apiKey(keyHash);
    return known ? used(known) : directory.lookUpApiKey(keyHash).then(used);
  }

  function used(key: ApiKeyPrincipal | undefined): ApiKeyPrincipal {
    if (!key) throw invalidToken('unknown or revoked API key');
    keyUse.note(key.keyId);
    return key;
  }

  return {
    name: 'credentials',
    async start() {
      await follower.start();
      keyUse.start();
    },
    async stop() {
      await keyUse.stop();
      await follower.stop();
    },
    readiness: async () => ({ credentials: directory.isLoaded() ? 'ok' : 'not read yet' }),
    hasOperator: config.operatorToken !== undefined,
    authenticate,
    changed: directory.refresh,
    forgetKey: directory.forgetApiKey,
  };
}

/** Compared in constant time. Its length shows, and says nothing; the check spares access tokens the hashing. */
function createOperatorCheck(operatorToken: string | undefined): (token: string) => boolean {
  if (operatorToken === undefined) return () => false;
  const expected = hash('sha256', operatorToken, 'buffer');
  return (token) => token.length === operatorToken.length && timingSafeEqual(hash('sha256', token, 'buffer'), expected);
}
