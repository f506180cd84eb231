/**
 * Who is calling: API keys, access tokens and the operator's token, judged from memory. Every service that must
 * authenticate has one. It follows the auth service's published views: NOTIFY `auth_changed` and polling as the net, so a
 * revoked key or an ended session is refused within a second. What memory does not know is looked up once. With
 * PostgreSQL away known credentials go on working and unknown ones are 503, since nobody can tell that they are wrong.
 */
import { hash, timingSafeEqual, type KeyObject } from 'node:crypto';
import type { Clock } from '@tollgate/kernel/clock';
import type { Service } from '../lifecycle/service.ts';
import type { Logger } from '../logging/create-logger.ts';
import type { Database } from '../postgres/database.ts';
import type { Notifications } from '../postgres/notifications.ts';
import { hashApiKey, isApiKey, looksLikeApiKey } from './api-key-format.ts';
import { bearerOf } from './bearer-token.ts';
import { createCredentialDirectory } from './credential-directory.ts';
import { createFollower } from './follow-changes.ts';
import { createKeyUse } from './key-use.ts';
import type { ApiKeyPrincipal, Principal } from './principal.ts';
import { createVerifiedTokens } from './verified-tokens.ts';
import { expiredToken, invalidToken, verifyAccessToken } from './verify-access-token.ts';

export interface CredentialsOptions {
  /** As a worker role that may read auth's directories. Started and stopped by its owner. */
  readonly database: Database;
  readonly notifications: Pick<Notifications, 'on'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly config: CredentialsConfig;
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
}

export function createCredentials(options: CredentialsOptions): Credentials {
  const { clock, config } = options;
  const directory = createCredentialDirectory(options.database, clock);
  const verified = createVerifiedTokens();
  const keyUse = createKeyUse(options);
  const isOperator = createOperatorCheck(config.operatorToken);
  const follower = createFollower({ ...options, channel: 'auth_changed', refresh: directory.refresh });

  function authenticate(authorization: string | undefined): Principal | Promise<Principal> {
    const token = bearerOf(authorization);
    if (looksLikeApiKey(token)) return authenticateKey(token);
    const known = verified.get(token);
    // A key that was withdrawn takes its tokens with it, also those that were verified before.
    if (known && directory.signingKey(known.keyId)) return living(known.principal);
    if (isOperator(token)) return { kind: 'operator' };
    return authenticateToken(token);
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

  async function authenticateToken(token: string): Promise<Principal> {
    const { issuer, audience } = config;
    const {
      keyId,
      issuedAt: _,
      ...rest
    } = await verifyAccessToken(token, { issuer, audience, nowMs: clock.now(), expiry: 'enforced', keyOf });
    const principal = living({ kind: 'session', ...rest });
    verified.put(token, { principal, keyId });
    return principal;
  }

  async function keyOf(keyId: string): Promise<KeyObject | undefined> {
    const key = directory.signingKey(keyId);
    if (key) return key;
    await directory.refresh();
    return directory.signingKey(keyId);
  }

  function living<Session extends Extract<Principal, { kind: 'session' }>>(principal: Session): Session {
    if (principal.expiresAt <= clock.now()) throw expiredToken();
    if (directory.isEnded(principal.sessionId)) throw invalidToken('the session has ended');
    return principal;
  }

  return {
    name: 'credentials',
    start: () => follower.start().then(keyUse.start),
    stop: () => keyUse.stop().then(follower.stop),
    readiness: async () => ({ credentials: directory.isLoaded() ? 'ok' : 'not read yet' }),
    hasOperator: config.operatorToken !== undefined,
    authenticate,
    changed: directory.refresh,
  };
}

/** Compared by hash, so that neither length nor matching beginnings show in the time it takes. */
function createOperatorCheck(operatorToken: string | undefined): (token: string) => boolean {
  if (operatorToken === undefined) return () => false;
  const expected = hash('sha256', operatorToken, 'buffer');
  return (token) => timingSafeEqual(hash('sha256', token, 'buffer'), expected);
}
