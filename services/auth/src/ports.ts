import type { Transaction } from '@tollgate/database/database';
import type { SessionFacts } from './sessions/plan-refresh.ts';

/** Every method throws AppError `unavailable` when the storage cannot be reached. Times are epoch milliseconds. */

export interface Account {
  readonly accountId: string;
  readonly email: string;
  readonly createdAt: number;
}

export interface NewSession {
  readonly accountId: string;
  readonly sessionId: string;
  readonly tokenId: string;
  readonly tokenExpiresAt: number;
  readonly createdAt: number;
}

export interface PasswordChange {
  readonly accountId: string;
  readonly passwordHash: string;
  readonly changedAt: number;
  /** The hash that the current password was checked against; undefined where nobody was asked for it. */
  readonly expectedHash: string | undefined;
  /** Stays alive; all other sessions of the account end. */
  readonly keptSessionId: string | undefined;
  readonly because: 'password_changed' | 'password_set';
}

export interface AccountStore {
  /** The account with its first session, or neither. Of concurrent registrations of one e-mail exactly one gets through. */
  register(
    account: Account & { readonly passwordHash: string },
    session: NewSession,
  ): Promise<'registered' | 'email_taken'>;
  findByEmail(email: string): Promise<{ readonly accountId: string; readonly passwordHash: string } | undefined>;
  read(accountId: string): Promise<(Account & { readonly passwordHash: string }) | undefined>;
  /** False, and nothing changed, when the hash is not the expected one any more. */
  changePassword(change: PasswordChange): Promise<boolean>;
}

export interface TokenRotation {
  readonly accountId: string;
  readonly sessionId: string;
  readonly fromTokenId: string;
  readonly toTokenId: string;
  readonly toTokenExpiresAt: number;
  readonly rotatedAt: number;
  readonly successorSealed: Uint8Array;
}

export interface SessionEnd {
  readonly accountId: string;
  readonly sessionId: string;
  readonly endedAt: number;
  readonly because: 'logout' | 'token_reused';
}

export interface SessionStore {
  /** False when the password has been changed since it was checked against `passwordHash`: then no session begins. */
  begin(session: NewSession, passwordHash: string): Promise<boolean>;
  factsOf(token: {
    readonly accountId: string;
    readonly sessionId: string;
    readonly tokenId: string;
  }): Promise<SessionFacts | undefined>;
  /** Compare-and-set: of all who replace one token, one gets true. False for ended sessions too. */
  rotate(rotation: TokenRotation): Promise<boolean>;
  /** Safe to repeat; announced to all services in the same transaction. */
  end(end: SessionEnd): Promise<void>;
}

export interface StoredSigningKey {
  readonly keyId: string;
  readonly publicJwk: Readonly<Record<string, unknown>>;
  /** undefined once retired: a retired key verifies, but signs no more. */
  readonly privateSealed: Uint8Array | undefined;
  readonly createdAt: number;
}

export interface SigningKeyStore {
  all(): Promise<StoredSigningKey[]>;
  /** Makes the key the one that signs, unless another has become it meanwhile; `replacedKeyId` retires in the same transaction. */
  install(key: StoredSigningKey, replacedKeyId: string | undefined): Promise<'installed' | 'lost'>;
}

export interface ApiKey {
  readonly keyId: string;
  readonly name: string;
  readonly prefix: string;
  readonly lastFour: string;
  readonly createdAt: number;
  readonly lastUsedAt: number | undefined;
}

export interface NewApiKey extends ApiKey {
  readonly accountId: string;
  readonly keyHash: Uint8Array;
}

export interface ApiKeyQuery {
  readonly accountId: string;
  readonly limit: number;
  /** The last key of the page before; undefined for the first page. */
  readonly after: { readonly createdAt: number; readonly keyId: string } | undefined;
}

export interface ApiKeyPage {
  readonly keys: readonly ApiKey[];
  readonly total: number;
}

export interface ApiKeyStore {
  /** False when the account has `liveMax` live keys. Counts under a lock on the account, so racing callers cannot pass it. */
  create(tx: Transaction, key: NewApiKey, liveMax: number): Promise<boolean>;
  /** Live keys, newest first, those that follow `after`; up to `limit` of them. */
  list(query: ApiKeyQuery): Promise<ApiKeyPage>;
  /** False for a key that is unknown, another account's, or revoked already. */
  revoke(key: { readonly accountId: string; readonly keyId: string; readonly revokedAt: number }): Promise<boolean>;
}

/** Both reject with `unavailable` when too many callers wait already: hashing is the costliest thing a stranger can ask for. */
export interface PasswordHasher {
  hash(password: string): Promise<string>;
  /** Takes the same time whether or not there is a hash to compare with. */
  verify(passwordHash: string | undefined, password: string): Promise<boolean>;
}

/** Each method throws `rate_limited` beyond its limit. Limits go by real time, not by the movable clock. */
export interface SignInThrottle {
  admitRegistration(address: string): Promise<void>;
  admitLogin(address: string): Promise<void>;
  /** Never by the account alone, or a stranger could lock its owner out. */
  admitPasswordTry(tried: { readonly account: string; readonly address: string }): Promise<void>;
}
