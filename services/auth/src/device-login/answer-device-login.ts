import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import type { Database } from '@tollgate/database/database';
import type { Actor } from '@tollgate/runtime/http/requests/act';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import { asSession } from '../accounts/as-session.ts';
import type { BeginSession, SignInCredentials } from '../accounts/begin-session.ts';
import { approveLogin, findWaitingLogin, refuseLogin, type WaitingLogin } from './sql-device-login.ts';
import type { HashUserCode } from './user-code.ts';

interface Deps {
  readonly worker: Database;
  readonly realTime: Pick<Clock, 'now'>;
  readonly hashUserCode: HashUserCode;
  readonly beginSession: BeginSession;
}

/** The acts of the page on a user code. */
export interface AnswerDeviceLogin {
  /** Undefined for a code that is unknown, expired or answered. */
  find(userCode: string): Promise<WaitingLogin | undefined>;
  /**
   * Signs in, and hands the session to the program. Throws what a sign-in throws, and `not_found` as in `find`; nobody is
   * signed in then.
   */
  approve(approval: SignInCredentials & { readonly userCode: string }, by: Actor): Promise<void>;
  /** Denies the program access. False as in `find`. */
  refuse(userCode: string): Promise<boolean>;
}

export function createAnswerDeviceLogin({ worker, realTime, hashUserCode, beginSession }: Deps): AnswerDeviceLogin {
  return {
    find: (userCode) => findWaitingLogin(worker, hashUserCode(userCode), realTime.now()),
    async approve({ userCode, ...credentials }, by) {
      const userCodeHash = hashUserCode(userCode);
      await beginSession(credentials, async (tx, { session, factor }) => {
        const { accountId, sessionId } = session;
        if (!(await approveLogin(tx, { userCodeHash, sessionId, approvedAt: realTime.now() }))) throw codeGone();
        const detail = factor === undefined ? undefined : { factor };
        const object = { kind: 'session', id: sessionId };
        await recordAct(tx, asSession(by, session), { action: 'device_login.approved', accountId, object, detail });
      });
    },
    refuse: (userCode) => refuseLogin(worker, hashUserCode(userCode), realTime.now()),
  };
}

function codeGone(): AppError {
  return new AppError('not_found', 'The code was used already, or it has expired.');
}
