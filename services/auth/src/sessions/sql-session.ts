import type { Transaction } from '@tollgate/database/database';
import type { SessionFacts } from './plan-refresh.ts';

export interface NewSession {
  readonly accountId: string;
  readonly sessionId: string;
  readonly tokenId: string;
  readonly tokenExpiresAt: number;
  readonly createdAt: number;
}

const insert = {
  name: 'auth.insert_session',
  text: `with signed_in as (
  select account_id from auth.account where account_id = $2 and password_hash = $6 for share
)
insert into auth.session (session_id, account_id, token_id, token_expires_at, created_at, refreshed_at)
select $1, account_id, $3, $4, $5, $5 from signed_in
returning session_id`,
};

/**
 * False when the account has another password hash by now. The share lock makes a password change wait for this
 * transaction and then see, and end, the session. Without the lock a sign-in could outlive the change.
 */
export async function insertSession(tx: Transaction, session: NewSession, passwordHash: string): Promise<boolean> {
  const values = [
    session.sessionId,
    session.accountId,
    session.tokenId,
    new Date(session.tokenExpiresAt),
    new Date(session.createdAt),
    passwordHash,
  ];
  return (await tx.query(insert, values)).length === 1;
}

const alive = {
  name: 'auth.is_session_alive',
  text: 'select from auth.session where session_id = $1 and ended_at is null',
};

/** Under the lock of `lockAccount` the answer stays true until the transaction ends. */
export async function isSessionAlive(tx: Transaction, sessionId: string): Promise<boolean> {
  return (await tx.query(alive, [sessionId])).length === 1;
}

interface FactsRow {
  token_id: string;
  created_at: Date;
  refreshed_at: Date;
  ended_at: Date | null;
  rotated_at: Date | null;
  successor_sealed: Buffer | null;
}

const readFacts = {
  name: 'auth.read_session_facts',
  text: `select s.token_id, s.created_at, s.refreshed_at, s.ended_at, r.rotated_at, r.successor_sealed
from auth.session s
left join auth.token_rotation r on r.session_id = s.session_id and r.token_id = $2
where s.session_id = $1`,
};

/** The session, and the rotation that replaced the presented token. One statement reads both from one snapshot. */
export async function readSessionFacts(
  tx: Transaction,
  token: { sessionId: string; tokenId: string },
): Promise<SessionFacts | undefined> {
  const [row] = await tx.query<FactsRow>(readFacts, [token.sessionId, token.tokenId]);
  return row && fromFactsRow(row);
}

function fromFactsRow(row: FactsRow): SessionFacts {
  return {
    tokenId: row.token_id,
    createdAt: row.created_at.getTime(),
    refreshedAt: row.refreshed_at.getTime(),
    endedAt: row.ended_at?.getTime(),
    rotation:
      row.rotated_at && row.successor_sealed
        ? { rotatedAt: row.rotated_at.getTime(), successorSealed: row.successor_sealed }
        : undefined,
  };
}

const readLive = {
  name: 'auth.read_live_session',
  text: 'select account_id, created_at from auth.session where session_id = $1 and ended_at is null',
};

export async function readLiveSession(
  tx: Transaction,
  sessionId: string,
): Promise<{ readonly accountId: string; readonly createdAt: number } | undefined> {
  const [row] = await tx.query<{ account_id: string; created_at: Date }>(readLive, [sessionId]);
  return row && { accountId: row.account_id, createdAt: row.created_at.getTime() };
}

export interface GivenToken {
  readonly sessionId: string;
  readonly tokenId: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
}

const give = {
  name: 'auth.give_token',
  text: `update auth.session set token_id = $2, token_expires_at = greatest(token_expires_at, $3), refreshed_at = greatest(refreshed_at, $4)
where session_id = $1 and ended_at is null
returning session_id`,
};

/** Makes the token the newest of its session; nobody may hold an earlier one. False for a session that has ended. */
export async function giveToken(
  tx: Transaction,
  { sessionId, tokenId, issuedAt, expiresAt }: GivenToken,
): Promise<boolean> {
  return (await tx.query(give, [sessionId, tokenId, new Date(expiresAt), new Date(issuedAt)])).length === 1;
}

export interface SessionEnd {
  readonly sessionId: string;
  readonly endedAt: number;
  readonly because: 'logout' | 'token_reused';
}

const end = {
  name: 'auth.end_session',
  text: `update auth.session set ended_at = $2, ended_because = $3 where session_id = $1 and ended_at is null
returning session_id`,
};

/** False for a session that has ended: the first end stays. A trigger announces it to all services. */
export async function endSession(tx: Transaction, { sessionId, endedAt, because }: SessionEnd): Promise<boolean> {
  return (await tx.query(end, [sessionId, new Date(endedAt), because])).length === 1;
}

export interface OtherSessionsEnd {
  readonly accountId: string;
  /** This session stays alive. */
  readonly keptSessionId: string | undefined;
  readonly endedAt: number;
  readonly because: 'password_changed' | 'password_set' | 'operator' | 'second_factor_changed' | 'account_closed';
}

const endOthers = {
  name: 'auth.end_other_sessions',
  text: `update auth.session set ended_at = $3, ended_because = $4
where account_id = $1 and ended_at is null and session_id is distinct from $2::uuid
returning session_id`,
};

/**
 * Ends all live sessions of the account except the kept session, and returns how many. A trigger announces it to all
 * services.
 */
export async function endOtherSessions(tx: Transaction, others: OtherSessionsEnd): Promise<number> {
  const values = [others.accountId, others.keptSessionId ?? null, new Date(others.endedAt), others.because];
  return (await tx.query(endOthers, values)).length;
}
