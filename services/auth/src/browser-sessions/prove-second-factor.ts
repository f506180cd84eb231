import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import type { Database } from '@tollgate/database/database';
import type { Actor } from '@tollgate/runtime/http/requests/act';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import type { PresentedFactor, UseSecondFactor } from '../accounts/begin-session.ts';
import { changeFactor, noTotp, type Caller } from '../second-factor/change-factor.ts';
import { noteSecondFactor } from '../sessions/sql-session-cookie.ts';

interface Deps {
  readonly api: Database;
  readonly useSecondFactor: UseSecondFactor;
  readonly realTime: Pick<Clock, 'now'>;
}

export type ProveSecondFactor = (request: Caller & PresentedFactor, by: Actor) => Promise<void>;

/** The session has shown a code now, for what needs a fresh one. Throws what a sign-in throws of a code, and `not_found`. */
export function createProveSecondFactor({ api, useSecondFactor, realTime }: Deps): ProveSecondFactor {
  return function proveSecondFactor({ accountId, sessionId, ...presented }, by) {
    return changeFactor(api, { accountId, sessionId }, async (tx) => {
      const factor = await useSecondFactor(tx, accountId, presented);
      if (factor === undefined) throw noTotp();
      if (!(await noteSecondFactor(tx, sessionId, realTime.now())))
        throw new AppError('forbidden', 'Only the session of a browser needs a code again.');
      const object = { kind: 'session', id: sessionId };
      await recordAct(tx, by, { action: 'second_factor.proved', accountId, object, detail: { factor } });
    });
  };
}
