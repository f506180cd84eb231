import { createPublicKey, type KeyObject } from 'node:crypto';
import type { Clock } from '@tollgate/kernel/clock';
import type { Queryable } from '@tollgate/database/database';
import { coalesce } from '../timing/coalesce.ts';
import { createLookupOnMiss } from './lookup-on-miss.ts';
import { createOverlap, type Overlap } from './overlap.ts';
import { createOperatorRows, type OperatorRows } from './operator-rows.ts';
import type { ApiKeyPrincipal } from '../http/requests/principal.ts';
import {
  findApiKeys,
  readChangedApiKeys,
  readChangedSuspensions,
  readEndedSessions,
  readLiveApiKeys,
  readSigningKeys,
  readSuspensions,
  type ApiKeyRow,
  type SigningKeyRow,
  type SuspensionRow,
} from './read-credentials.ts';

/** The credentials that the auth service publishes, kept in memory. They stay usable while PostgreSQL is away. */
export interface CredentialDirectory extends Pick<OperatorRows, 'operatorTokens' | 'operatorCodes'> {
  /**
   * Reads the changes, and everything on the first call and every ten minutes. The read begins after the call, so it
   * sees everything that was committed before. Rejects with `unavailable` when PostgreSQL cannot be reached.
   */
  refresh(): Promise<void>;
  /** Finds a live key by its SHA-256 in base64. */
  apiKey(hash: string): ApiKeyPrincipal | undefined;
  /** Looks the key up in PostgreSQL. Rejects with `unavailable` when it cannot be reached. */
  lookUpApiKey(hash: string): Promise<ApiKeyPrincipal | undefined>;
  /** Drops the key from memory; its next use is looked up. */
  forgetApiKey(hash: string): void;
  /** The key that signs, or signed, tokens of sessions. */
  signingKey(keyId: string): KeyObject | undefined;
  /** The key that signs, or signed, access tokens of OAuth. It is never a key of sessions. */
  oauthKey(keyId: string): KeyObject | undefined;
  isEnded(sessionId: string): boolean;
  /** Whether the operator has cut the account off. */
  isSuspended(accountId: string): boolean;
}

/** A full read finds what no change announces: ended sessions that the view has dropped, rows altered by hand. */
const fullReadEveryMs = 600_000;

export interface CredentialDirectoryDeps {
  readonly db: Queryable;
  readonly clock: Clock;
  /** Called with the hash of a key that memory had as live until now. */
  readonly onRevoked: (hash: string) => void;
}

export function createCredentialDirectory({ db, clock, onRevoked }: CredentialDirectoryDeps): CredentialDirectory {
  let apiKeys = new Map<string, ApiKeyPrincipal>();
  let endedSessions = new Set<string>();
  const suspended = createSuspendedAccounts();
  const signingKeys = createSigningKeys();
  const operatorRows = createOperatorRows(db);
  let overlap: Overlap | undefined;
  let fullReadDueMs = 0;

  async function readAll(nowMs: number): Promise<void> {
    const ended = await readEndedSessions(db, 0n);
    const live = await readLiveApiKeys(db);
    const suspensions = await readSuspensions(db);
    const known = apiKeys;
    apiKeys = new Map(live.map(toEntry));
    for (const hash of known.keys()) if (!apiKeys.has(hash)) onRevoked(hash);
    endedSessions = new Set(ended.map((row) => row.session_id));
    suspended.replace(suspensions);
    overlap = createOverlap(greatestSeq([...ended, ...live, ...suspensions]));
    fullReadDueMs = nowMs + fullReadEveryMs;
  }

  async function readChanges(nowMs: number, from: Overlap): Promise<void> {
    const after = from.readAfter(nowMs);
    const ended = await readEndedSessions(db, after);
    const changed = await readChangedApiKeys(db, after);
    const suspensions = await readChangedSuspensions(db, after);
    for (const row of ended) endedSessions.add(row.session_id);
    for (const row of changed) applyKey(row);
    suspended.apply(suspensions);
    from.seen(greatestSeq([...ended, ...changed, ...suspensions]), nowMs);
  }

  function applyKey(row: ApiKeyRow): void {
    const [hash, principal] = toEntry(row);
    if (row.revoked_at === null) {
      if (!apiKeys.has(hash)) apiKeys.set(hash, principal);
    } else if (apiKeys.delete(hash)) onRevoked(hash);
  }

  async function read(): Promise<void> {
    const nowMs = clock.monotonicMs();
    signingKeys.replace(await readSigningKeys(db));
    await operatorRows.refresh();
    if (overlap && nowMs < fullReadDueMs) await readChanges(nowMs, overlap);
    else await readAll(nowMs);
  }

  // The key may be revoked between this read and the next line. The next poll sees the revocation, see overlap.ts.
  const lookUpApiKey = createLookupOnMiss(async (hashes) => {
    const rows = await findApiKeys(
      db,
      hashes.map((hash) => Buffer.from(hash, 'base64')),
    );
    for (const row of rows) applyKey(row);
    return new Map(rows.map(toEntry));
  });

  return {
    ...operatorRows,
    refresh: coalesce(read),
    apiKey: (hash) => apiKeys.get(hash),
    lookUpApiKey,
    forgetApiKey: (hash) => void apiKeys.delete(hash),
    signingKey: (keyId) => signingKeys.get(keyId, 'session'),
    oauthKey: (keyId) => signingKeys.get(keyId, 'oauth'),
    isEnded: (sessionId) => endedSessions.has(sessionId),
    isSuspended: suspended.has,
  };
}

function toEntry(row: ApiKeyRow): [string, ApiKeyPrincipal] {
  return [
    Buffer.from(row.key_hash).toString('base64'),
    {
      kind: 'api_key',
      accountId: row.account_id,
      keyId: row.key_id,
      can: row.can ?? undefined,
      expiresAt: row.expires_at?.getTime(),
    },
  ];
}

function greatestSeq(rows: readonly { readonly changed_seq: bigint }[]): bigint {
  return rows.reduce((greatest, row) => (row.changed_seq > greatest ? row.changed_seq : greatest), 0n);
}

interface SigningKey {
  readonly key: KeyObject;
  readonly use: SigningKeyRow['key_use'];
  readonly source: string;
}

/** The public keys of both uses, by their id. */
interface SigningKeys {
  /** Undefined also for a key of the other use. */
  get(keyId: string, use: SigningKey['use']): KeyObject | undefined;
  /** Forgets what it knew. */
  replace(rows: readonly SigningKeyRow[]): void;
}

function createSigningKeys(): SigningKeys {
  let keys = new Map<string, SigningKey>();
  return {
    get(keyId, use) {
      const found = keys.get(keyId);
      return found?.use === use ? found.key : undefined;
    },
    replace: (rows) => void (keys = toSigningKeys(rows, keys)),
  };
}

/** Parses a key once. Keys of other kinds are left out: a newer version of the services may have published them. */
function toSigningKeys(
  rows: readonly SigningKeyRow[],
  known: ReadonlyMap<string, SigningKey>,
): Map<string, SigningKey> {
  return new Map(rows.filter(isEs256Key).map((row) => [row.key_id, toSigningKey(row, known.get(row.key_id))]));
}

function isEs256Key({ public_jwk: jwk }: SigningKeyRow): boolean {
  return jwk['kty'] === 'EC' && jwk['crv'] === 'P-256';
}

function toSigningKey({ public_jwk: jwk, key_use: use }: SigningKeyRow, known: SigningKey | undefined): SigningKey {
  const source = JSON.stringify(jwk);
  return known?.source === source ? known : { source, use, key: createPublicKey({ key: jwk, format: 'jwk' }) };
}

/** The accounts that the operator has cut off, by their id. */
interface SuspendedAccounts {
  has(accountId: string): boolean;
  /** Takes over what has changed. */
  apply(changed: readonly SuspensionRow[]): void;
  /** Forgets what it knew. */
  replace(suspended: readonly SuspensionRow[]): void;
}

function createSuspendedAccounts(): SuspendedAccounts {
  let ids = new Set<string>();
  return {
    has: (accountId) => ids.has(accountId),
    apply(changed) {
      for (const row of changed) {
        if (row.resumed_at === null) ids.add(row.account_id);
        else ids.delete(row.account_id);
      }
    },
    replace: (suspended) => void (ids = new Set(suspended.map((row) => row.account_id))),
  };
}
