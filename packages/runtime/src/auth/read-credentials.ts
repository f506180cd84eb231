import type { EmbedPage } from '@tollgate/contracts/routes/embed-pages';
import type { KeyScope } from '@tollgate/contracts/routes/route';
import type { Queryable } from '@tollgate/database/database';

export interface ApiKeyRow {
  readonly key_id: string;
  readonly account_id: string;
  readonly key_hash: Uint8Array;
  /** Null: everything. */
  readonly can: readonly KeyScope[] | null;
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
  readonly changed_seq: bigint;
}

export interface EndedSessionRow {
  readonly session_id: string;
  readonly changed_seq: bigint;
}

export interface SuspensionRow {
  readonly account_id: string;
  readonly resumed_at: Date | null;
  readonly changed_seq: bigint;
}

export interface SigningKeyRow {
  readonly key_id: string;
  readonly key_use: 'session' | 'oauth';
  readonly public_jwk: Record<string, unknown>;
}

const selectApiKeys =
  'select key_id, account_id, key_hash, can, expires_at, revoked_at, changed_seq from auth.api_key_directory_v1 where';

const changedApiKeys = {
  name: 'auth.read_changed_api_keys',
  text: `${selectApiKeys} changed_seq > $1::bigint`,
};

/** The keys that changed after `seq`, revoked ones too, so that their end is seen. Uses the index on changed_seq. */
export function readChangedApiKeys(db: Queryable, seq: bigint): Promise<ApiKeyRow[]> {
  return db.query<ApiKeyRow>(changedApiKeys, [seq.toString()]);
}

export function readLiveApiKeys(db: Queryable): Promise<ApiKeyRow[]> {
  return db.query<ApiKeyRow>(`${selectApiKeys} revoked_at is null`);
}

const apiKeysByHash = {
  name: 'auth.find_api_keys',
  text: `${selectApiKeys} key_hash = any ($1::bytea[]) and revoked_at is null`,
};

/** The live keys with these hashes. Uses the unique index on key_hash. */
export function findApiKeys(db: Queryable, hashes: readonly Buffer[]): Promise<ApiKeyRow[]> {
  return db.query<ApiKeyRow>(apiKeysByHash, [hashes]);
}

const endedSessions = {
  name: 'auth.read_ended_sessions',
  text: 'select session_id, changed_seq from auth.ended_session_v1 where changed_seq > $1::bigint',
};

export function readEndedSessions(db: Queryable, seq: bigint): Promise<EndedSessionRow[]> {
  return db.query<EndedSessionRow>(endedSessions, [seq.toString()]);
}

export interface SessionCookieRow {
  readonly cookie_hash: Uint8Array;
  readonly session_id: string;
  readonly account_id: string;
  readonly created_at: Date;
  readonly used_at: Date;
  readonly is_operator: boolean;
  /** Null without a second factor. */
  readonly second_factor_at: Date | null;
}

const sessionCookies = {
  name: 'auth.find_session_cookies',
  text: `select cookie_hash, session_id, account_id, created_at, used_at, is_operator, second_factor_at
from auth.session_cookie_v1
where cookie_hash = any ($1::bytea[])`,
};

/** The sessions that have these cookies and were not ended. Uses the unique index on cookie_hash. */
export function findSessionCookies(db: Queryable, hashes: readonly Buffer[]): Promise<SessionCookieRow[]> {
  return db.query<SessionCookieRow>(sessionCookies, [hashes]);
}

export interface EmbedRow {
  readonly token_hash: Uint8Array;
  readonly embed_id: string;
  readonly account_id: string;
  readonly page: EmbedPage;
  readonly expires_at: Date;
}

const embeds = {
  name: 'auth.find_embeds',
  text: 'select token_hash, embed_id, account_id, page, expires_at from auth.embed_v1 where token_hash = any ($1::bytea[])',
};

/** The embeds with these tokens whose makers have not ended. Uses the unique index on token_hash. */
export function findEmbeds(db: Queryable, hashes: readonly Buffer[]): Promise<EmbedRow[]> {
  return db.query<EmbedRow>(embeds, [hashes]);
}

const selectSuspensions = 'select account_id, resumed_at, changed_seq from auth.account_suspension_v1 where';

const changedSuspensions = {
  name: 'auth.read_changed_suspensions',
  text: `${selectSuspensions} changed_seq > $1::bigint`,
};

/** The suspensions that changed after `seq`, also those that have ended. Uses the index on changed_seq. */
export function readChangedSuspensions(db: Queryable, seq: bigint): Promise<SuspensionRow[]> {
  return db.query<SuspensionRow>(changedSuspensions, [seq.toString()]);
}

export function readSuspensions(db: Queryable): Promise<SuspensionRow[]> {
  return db.query<SuspensionRow>(`${selectSuspensions} resumed_at is null`);
}

export interface OperatorTokenRow {
  readonly name: string;
  readonly token_hash: Uint8Array;
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
}

const operatorTokens = {
  name: 'auth.read_operator_tokens',
  text: 'select name, token_hash, expires_at, revoked_at from auth.operator_token_v1',
};

/** A hundred rows at most, also those that are revoked or have expired. */
export function readOperatorTokens(db: Queryable): Promise<OperatorTokenRow[]> {
  return db.query<OperatorTokenRow>(operatorTokens);
}

export interface OperatorCodeRow {
  readonly code_hash: Uint8Array | null;
  readonly token_hash: Uint8Array | null;
  readonly expires_at: Date | null;
}

const operatorCodes = {
  name: 'auth.read_operator_codes',
  text: 'select code_hash, token_hash, expires_at from auth.operator_code_v1',
};

/** A few rows. None: the operator has no second factor. A row without a code: nobody has one. */
export function readOperatorCodes(db: Queryable): Promise<OperatorCodeRow[]> {
  return db.query<OperatorCodeRow>(operatorCodes);
}

const publishedSigningKeys = {
  name: 'auth.read_published_signing_keys',
  text: 'select key_id, key_use, public_jwk from auth.signing_key_v1',
};

/** A few rows. A key that is deleted verifies no more. */
export function readSigningKeys(db: Queryable): Promise<SigningKeyRow[]> {
  return db.query<SigningKeyRow>(publishedSigningKeys);
}
