import type { Clock } from '@tollgate/kernel/clock';
import type { Actor } from '@tollgate/runtime/http/requests/act';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import type { Database } from '@tollgate/database/database';
import { endSession } from './sql-session.ts';

interface Deps {
  /** Connects as auth_api, under the row-level policies of the account. */
  readonly api: Database;
  readonly clock: Clock;
  readonly credentialsChanged: () => Promise<void>;
}

export type EndSession = (
  session: { readonly accountId: string; readonly sessionId: string },
  by: Actor,
) => Promise<boolean>;

/** False when the account has no such live session. Resolved: the end is durable, and this process knows it. */
export function createEndSession({ api, clock, credentialsChanged }: Deps): EndSession {
  return async function endSessionOf({ accountId, sessionId }, by) {
    const ended = { sessionId, endedAt: clock.now(), because: 'logout' } as const;
    const act = { action: 'session.ended', accountId, object: { kind: 'session', id: sessionId } } as const;
    const isEnded = await api.transaction(
      async (tx) => {
        if (!(await endSession(tx, ended))) return false;
        await recordAct(tx, by, act);
        return true;
      },
      { accountId },
    );
    if (isEnded) await credentialsChanged();
    return isEnded;
  };
}
