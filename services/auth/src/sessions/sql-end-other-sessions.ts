import type { Transaction } from '@tollgate/database/database';
import type { PasswordChange } from '../ports.ts';

/** Ends all live sessions of the account but the kept one; a trigger announces it. */
export async function endOtherSessions(tx: Transaction, change: PasswordChange): Promise<void> {
  await tx.query(statement, [
    change.accountId,
    change.keptSessionId ?? null,
    new Date(change.changedAt),
    change.because,
  ]);
}

const statement = {
  name: 'auth.end_other_sessions',
  text: `update auth.session set ended_at = $3, ended_because = $4
where account_id = $1 and ended_at is null and session_id is distinct from $2::uuid`,
};
