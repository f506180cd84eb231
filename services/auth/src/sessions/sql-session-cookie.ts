import type { Transaction } from '@tollgate/database/database';

export interface NewSessionCookie {
  readonly sessionId: string;
  readonly accountId: string;
  readonly cookieHash: Uint8Array;
  /** The time of the machine, and no sandbox clock. */
  readonly createdAt: number;
  readonly hasShownFactor: boolean;
}

const insert = {
  name: 'auth.insert_session_cookie',
  text: `insert into auth.session_cookie (session_id, account_id, cookie_hash, created_at, used_at, second_factor_at)
values ($1, $2, $3, $4, $4, case when $5 then $4::timestamptz end)`,
};

/** Gives a session its one cookie, in the transaction that stores the session. */
export async function insertSessionCookie(tx: Transaction, cookie: NewSessionCookie): Promise<void> {
  const { sessionId, accountId, cookieHash, createdAt, hasShownFactor } = cookie;
  await tx.query(insert, [sessionId, accountId, cookieHash, new Date(createdAt), hasShownFactor]);
}

const note = {
  name: 'auth.note_second_factor',
  text: 'update auth.session_cookie set second_factor_at = $2 where session_id = $1 returning session_id',
};

/** False for a session that is no browser's. */
export async function noteSecondFactor(tx: Transaction, sessionId: string, shownAt: number): Promise<boolean> {
  return (await tx.query(note, [sessionId, new Date(shownAt)])).length === 1;
}
