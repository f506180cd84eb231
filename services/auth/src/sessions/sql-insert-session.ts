import type { Transaction } from '@tollgate/database/database';
import type { NewSession } from '../ports.ts';

/**
 * False when the account's password hash is another one by now. The share lock makes a password change wait for this
 * transaction and then see, and end, the session; without it a sign-in could outlive the change.
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
  return (await tx.query(statement, values)).length === 1;
}

const statement = {
  name: 'auth.insert_session',
  text: `with signed_in as (
  select account_id from auth.account where account_id = $2 and password_hash = $6 for share
)
insert into auth.session (session_id, account_id, token_id, token_expires_at, created_at, refreshed_at)
select $1, account_id, $3, $4, $5, $5 from signed_in
returning session_id`,
};
