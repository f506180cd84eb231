/**
 * Finds out who is calling: judges API keys, access tokens and the operator's tokens from memory. Every service that
 * authenticates has an instance. It follows the views that the auth service publishes, by NOTIFY `auth_changed` and by
 * polling in case a notification is lost. So a revoked key or an ended session is refused within a second. A credential
 * that memory does not know is looked up once. While PostgreSQL is away, known credentials work and unknown ones get 503,
 * since they may be good.
 */
import { systemClock, type Clock } from '@tollgate/kernel/clock';
import type { Service } from '@tollgate/kernel/service';
import type { Logger } from '../logging/create-logger.ts';
import type { Database } from '@tollgate/database/database';
import type { Notifications } from '@tollgate/database/notifications';
import { looksLikeApiKey, looksLikeEmbedToken, looksLikePass } from './api-key-format.ts';
import { bearerOf } from './bearer-token.ts';
import { createCookieCheck, type CookieCheck } from './cookie-check.ts';
import { createCredentialDirectory } from './credential-directory.ts';
import { createEmbedCheck } from './embed-check.ts';
import { createFollower } from './follow-changes.ts';
import { createKeyCheck, type FindPass, type KeyCheck } from './key-check.ts';
import { createKeyUse, createSessionUse } from './key-use.ts';
import { createOperatorCodeCheck, type RequireOperatorCode } from './operator-code-check.ts';
import { createOperatorCheck, type OperatorCheck } from './operator-check.ts';
import { createJudgeTry, type JudgeTry } from './operator-tries.ts';
import type { Principal } from '../http/requests/principal.ts';
import { createSessionCookie } from './session-cookie.ts';
import { createTokenCheck, type TokenCheck } from './token-check.ts';
import { suspendedAccount } from './token-refusals.ts';

export interface CredentialsOptions {
  /** Connects as a worker role that may read auth's views. Its owner starts and stops it. */
  readonly database: Database;
  readonly notifications: Pick<Notifications, 'on'>;
  readonly clock: Clock;
  /** The clock by which operator tokens and cookies expire. Default: the clock of the machine, which no operator moves. */
  readonly realTime?: Pick<Clock, 'now'> | undefined;
  readonly log: Logger;
  readonly config: CredentialsConfig;
  /** Finds a live pass by the SHA-256 of its key in base64. Left out: no route of this service admits passes. */
  readonly findPass?: FindPass | undefined;
  /** Called with the hash of each key that PostgreSQL reports as revoked. The owner passes it to caches of its own. */
  readonly onKeyRevoked?: ((keyHash: string) => void) | undefined;
}

export interface CredentialsConfig {
  readonly issuer: string;
  readonly audience: string;
  /** PUBLIC_URL: browsers are known by a cookie there, and without it on this machine alone. */
  readonly publicUrl?: string | undefined;
  /** OPERATOR_TOKEN. It counts until `default` is rotated or revoked. Without any token nobody is the operator. */
  readonly operatorToken?: string | undefined;
  /** Wrong operator tokens that one address may send per minute. Default: 10. */
  readonly wrongOperatorTokensPerMinute?: number | undefined;
}

export interface Credentials
  extends
    Service,
    CookieCheck,
    Pick<KeyCheck, 'knownKey'>,
    Pick<TokenCheck, 'sessionOfClaims' | 'signingKey' | 'oauthKey'>,
    Pick<OperatorCheck, 'isCandidate'> {
  readonly hasOperator: boolean;
  /**
   * The principal of an `Authorization` header, at once when the credential is known. Throws, or rejects with,
   * `unauthorized` when the credential is not good, `account_suspended` when it is good but its account is cut off, and `unavailable` when memory does not know the credential and
   * PostgreSQL is away.
   */
  authenticate(authorization: string | undefined): Principal | Promise<Principal>;
  /** Judges the credential of a request, unless its address has sent too many wrong operator tokens. */
  readonly judgeTry: JudgeTry;
  /** Throws, or rejects with, `operator_code_required` while the operator has a second factor and the request has no code. */
  readonly requireOperatorCode: RequireOperatorCode;
  /** Whether the operator has cut the account off. */
  isSuspended(accountId: string): boolean;
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
  const { database: db, clock, realTime = systemClock, config, findPass, onKeyRevoked: onRevoked = none } = options;
  const directory = createCredentialDirectory({ db, clock, onRevoked });
  const { sessionOfToken, sessionOfClaims, signingKey, oauthKey } = createTokenCheck({ directory, clock, config });
  const { hasOperator, isCandidate, operatorOf } = createOperatorCheck({
    configured: config.operatorToken,
    directory,
    realTime,
  });
  const judgeTry = createJudgeTry({
    ...options,
    db,
    isCandidate,
    wrongPerMinute: config.wrongOperatorTokensPerMinute ?? 10,
  });
  const keyUse = createKeyUse(options);
  const sessionUse = createSessionUse({ ...options, clock: realTime });
  const cookie = createSessionCookie(config.publicUrl);
  const { sessionOfCookie } = createCookieCheck({ db, directory, cookie, sessionUse, clock, realTime });
  const keyDeps = { directory, keyUse, clock, findPass, refuseSuspended, isCandidate };
  const { principalOfKey, principalOfPass, knownKey } = createKeyCheck(keyDeps);
  const principalOfEmbed = createEmbedCheck({ db, refuseSuspended, realTime });
  const follower = createFollower({ ...options, channel: 'auth_changed', refresh: directory.refresh });

  function authenticate(authorization: string | undefined): Principal | Promise<Principal> {
    const token = bearerOf(authorization);
    if (looksLikePass(token)) return principalOfPass(token);
    if (looksLikeEmbedToken(token)) return principalOfEmbed(token);
    if (looksLikeApiKey(token)) return principalOfKey(token);
    return operatorOf(token) ?? sessionOfToken(token);
  }

  function refuseSuspended(accountId: string): void {
    if (directory.isSuspended(accountId)) throw suspendedAccount();
  }

  return {
    name: 'credentials',
    start: () =>
      follower.start().then(() => {
        keyUse.start();
        sessionUse.start();
      }),
    async stop() {
      await Promise.all([keyUse.stop(), sessionUse.stop()]);
      await follower.stop();
    },
    readiness: () => ({ credentials: follower.state() }),
    get hasOperator() {
      return hasOperator();
    },
    authenticate,
    knownKey,
    sessionOfCookie,
    isCandidate,
    judgeTry,
    requireOperatorCode: createOperatorCodeCheck({ directory, clock }),
    isSuspended: directory.isSuspended,
    refuseSuspended,
    sessionOfClaims,
    signingKey,
    oauthKey,
    changed: directory.refresh,
    forgetKey: directory.forgetApiKey,
  };
}

function none(): void {}
