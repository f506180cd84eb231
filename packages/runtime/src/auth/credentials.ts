/**
 * Finds out who is calling: judges API keys, access tokens and the operator's token from memory. Every service that
 * authenticates has an instance. It follows the views that the auth service publishes, by NOTIFY `auth_changed` and by
 * polling in case a notification is lost. So a revoked key or an ended session is refused within a second. A credential
 * that memory does not know is looked up once. While PostgreSQL is away, known credentials work and unknown ones get 503,
 * since they may be good.
 */
import type { Clock } from '@tollgate/kernel/clock';
import type { Service } from '@tollgate/kernel/service';
import type { Logger } from '../logging/create-logger.ts';
import type { Database } from '@tollgate/database/database';
import type { Notifications } from '@tollgate/database/notifications';
import { hashApiKey, isApiKey, isPassKey, looksLikeApiKey, looksLikePass } from './api-key-format.ts';
import { bearerOf } from './bearer-token.ts';
import { createCredentialDirectory } from './credential-directory.ts';
import { createFollower } from './follow-changes.ts';
import { createKeyUse } from './key-use.ts';
import { createOperatorCodeCheck, type RequireOperatorCode } from './operator-code-check.ts';
import { createOperatorCheck } from './operator-check.ts';
import type { ApiKeyPrincipal, PassPrincipal, Principal } from './principal.ts';
import { createTokenCheck, type TokenCheck } from './token-check.ts';
import { invalidToken, passOpensLittle, suspendedAccount } from './token-refusals.ts';

export interface CredentialsOptions {
  /** Connects as a worker role that may read auth's views. Its owner starts and stops it. */
  readonly database: Database;
  readonly notifications: Pick<Notifications, 'on'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly config: CredentialsConfig;
  /** Finds a live pass by the SHA-256 of its key in base64. Left out: no route of this service admits passes. */
  readonly findPass?: FindPass | undefined;
  /** Called with the hash of each key that PostgreSQL reports as revoked. The owner passes it to caches of its own. */
  readonly onKeyRevoked?: ((keyHash: string) => void) | undefined;
}

export type FindPass = (keyHash: string) => PassPrincipal | undefined | Promise<PassPrincipal | undefined>;

export interface CredentialsConfig {
  readonly issuer: string;
  readonly audience: string;
  /** OPERATOR_TOKEN. It counts until the token is rotated. Without any token nobody is the operator. */
  readonly operatorToken?: string | undefined;
}

export interface Credentials extends Service, Pick<TokenCheck, 'sessionOfClaims' | 'signingKey'> {
  readonly hasOperator: boolean;
  /**
   * The principal of an `Authorization` header, at once when the credential is known. Throws, or rejects with,
   * `unauthorized` when the credential is not good, `account_suspended` when it is good but its account is cut off, and `unavailable` when memory does not know the credential and
   * PostgreSQL is away.
   */
  authenticate(authorization: string | undefined): Principal | Promise<Principal>;
  /** Whether a token is the operator's. */
  isOperator(token: string): boolean;
  /** Throws, or rejects with, `operator_code_required` while the operator has a second factor and the request has no code. */
  readonly requireOperatorCode: RequireOperatorCode;
  /** Throws `account_suspended` while the operator has cut the account off. */
  refuseSuspended(accountId: string): void;
  /** Reads the changes now, for a caller that has just changed a credential and must not wait for the notification. */
  changed(): Promise<void>;
  /**
   * Drops a key from memory because another process reports it as revoked. The next use of the key is looked up in
   * PostgreSQL, so a false report costs one look-up and no more.
   */
  forgetKey(keyHash: string): void;
}

export function createCredentials(options: CredentialsOptions): Credentials {
  const { database: db, clock, config, findPass, onKeyRevoked: onRevoked = () => undefined } = options;
  const directory = createCredentialDirectory({ db, clock, onRevoked });
  const { sessionOfToken, sessionOfClaims, signingKey } = createTokenCheck({ directory, clock, config });
  const { hasOperator, isOperator } = createOperatorCheck(config.operatorToken, directory.operatorTokenHash);
  const keyUse = createKeyUse(options);
  const follower = createFollower({ ...options, channel: 'auth_changed', refresh: directory.refresh });

  function authenticate(authorization: string | undefined): Principal | Promise<Principal> {
    const token = bearerOf(authorization);
    if (looksLikePass(token)) return authenticatePass(token);
    if (looksLikeApiKey(token)) return authenticateKey(token);
    return isOperator(token) ? { kind: 'operator' } : sessionOfToken(token);
  }

  function authenticateKey(key: string): Principal | Promise<Principal> {
    if (!isApiKey(key)) throw invalidToken('not an API key of ours');
    const keyHash = hashApiKey(key).toString('base64');
    const known = directory.apiKey(keyHash);
    return known ? used(known) : directory.lookUpApiKey(keyHash).then(used);
  }

  function authenticatePass(key: string): Principal | Promise<Principal> {
    if (!isPassKey(key)) throw invalidToken('not a pass of ours');
    if (findPass === undefined) throw passOpensLittle();
    const found = findPass(hashApiKey(key).toString('base64'));
    return found instanceof Promise ? found.then(usedPass) : usedPass(found);
  }

  function usedPass(pass: PassPrincipal | undefined): PassPrincipal {
    if (!pass) throw invalidToken('unknown, revoked or expired pass');
    refuseSuspended(pass.accountId);
    return pass;
  }

  function used(key: ApiKeyPrincipal | undefined): ApiKeyPrincipal {
    if (!key) throw invalidToken('unknown or revoked API key');
    refuseSuspended(key.accountId);
    keyUse.note(key.keyId);
    return key;
  }

  function refuseSuspended(accountId: string): void {
    if (directory.isSuspended(accountId)) throw suspendedAccount();
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
    get hasOperator() {
      return hasOperator();
    },
    authenticate,
    isOperator,
    requireOperatorCode: createOperatorCodeCheck({ directory, clock }),
    refuseSuspended,
    sessionOfClaims,
    signingKey,
    changed: directory.refresh,
    forgetKey: directory.forgetApiKey,
  };
}
