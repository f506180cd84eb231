import type { Queryable } from '@tollgate/database/database';
import type { SessionEnd } from '../ports.ts';

/** Again: nothing changes, the first end stays. A trigger announces it. */
export async function endSession(db: Queryable, end: SessionEnd): Promise<void> {
  await db.query(statement, [end.sessionId, new Date(end.endedAt), end.because]);
}

const statement = {
  name: 'auth.end_session',
  text: 'update auth.session set ended_at = $2, ended_because = $3 where session_id = $1 and ended_at is null',
};
