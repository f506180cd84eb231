import type { Transaction } from '@tollgate/database/database';

export interface NewSessionCookie {
  readonly sessionId: string;
  readonly accountId: string;
  readonly cookieHash: Uint8Array;
  /** The time of the machine, and no sandbox clock. */
  readonly createdAt: number;
}

const insert = {
  name: 'auth.insert_session_cookie',
  text: `insert into auth.session_cookie (session_id, account_id, cookie_hash, created_at, used_at)
values ($1, $2, $3, $4, $4)`,
};

/** Gives a session its one cookie, in the transaction that stores the session. */
export async function insertSessionCookie(tx: Transaction, cookie: NewSessionCookie): Promise<void> {
  const { sessionId, accountId, cookieHash, createdAt } = cookie;
  await tx.query(insert, [sessionId, accountId, cookieHash, new Date(createdAt)]);
}
