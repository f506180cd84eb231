import type { Database } from '@tollgate/database/database';
import type { SessionStore } from '../ports.ts';
import { rotationGraceMs } from './plan-refresh.ts';
import { deleteStaleRotations } from './sql-delete-stale-rotations.ts';
import { endSession } from './sql-end-session.ts';
import { insertSession } from './sql-insert-session.ts';
import { readSessionFacts } from './sql-read-session-facts.ts';
import { rotateToken } from './sql-rotate-token.ts';

/** Works as auth_api: each statement sees the sessions of the account that the verified token names, and no other. */
export function createPgSessionStore(api: Database): SessionStore {
  return {
    begin: (session, passwordHash) =>
      api.transaction((tx) => insertSession(tx, session, passwordHash), { accountId: session.accountId }),
    factsOf: (token) => api.transaction((tx) => readSessionFacts(tx, token), { accountId: token.accountId }),
    rotate: (rotation) =>
      api.transaction(
        async (tx) => {
          if (!(await rotateToken(tx, rotation))) return false;
          await deleteStaleRotations(tx, rotation.sessionId, rotation.rotatedAt - 2 * rotationGraceMs);
          return true;
        },
        { accountId: rotation.accountId },
      ),
    end: (end) => api.transaction((tx) => endSession(tx, end), { accountId: end.accountId }),
  };
}
