import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import { unreachable } from '@tollgate/kernel/unreachable';
import type { Database, Transaction } from '@tollgate/database/database';
import type { Actor } from '@tollgate/runtime/http/requests/act';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import { asSession } from '../accounts/as-session.ts';
import { toTokenAnswer, type IssueToken, type TokenAnswer } from '../sessions/access-token.ts';
import { sessionEndOf } from '../sessions/plan-refresh.ts';
import { giveToken, readLiveSession } from '../sessions/sql-session.ts';
import { planPoll } from './plan-poll.ts';
import { lockDeviceLogin, notePolled, noteRedeemed } from './sql-device-login.ts';
import { hashDeviceCode } from './user-code.ts';

interface Deps {
  /** Nobody is signed in: the code says whose session it is. */
  readonly worker: Database;
  readonly realTime: Pick<Clock, 'now'>;
  readonly issueToken: IssueToken;
  readonly refuseSuspended: (accountId: string) => void;
}

/**
 * Throws `authorization_pending`, `slow_down`, `access_denied` and `expired_token` (RFC 8628, 3.5). Resolved: the program
 * has the token, and the code gives no other.
 */
export type RedeemDeviceLogin = (deviceCode: string, by: Actor) => Promise<TokenAnswer>;

export function createRedeemDeviceLogin({ worker, realTime, issueToken, refuseSuspended }: Deps): RedeemDeviceLogin {
  return async function redeemDeviceLogin(deviceCode, by) {
    const outcome = await worker.transaction((tx) => poll(tx, hashDeviceCode(deviceCode), by));
    if (outcome instanceof AppError) throw outcome; // only now: what the poll noted stays
    return outcome;
  };

  async function poll(tx: Transaction, deviceHash: Buffer, by: Actor): Promise<TokenAnswer | AppError> {
    const nowMs = realTime.now();
    const plan = planPoll(await lockDeviceLogin(tx, deviceHash), nowMs);
    switch (plan.kind) {
      case 'expired':
        return expired();
      case 'refused':
        return new AppError('access_denied', 'The sign-in was refused on the page.');
      case 'wait':
        await notePolled(tx, { deviceHash, polledAt: nowMs, intervalSeconds: plan.intervalSeconds });
        return plan.isTooFast ? tooFast(plan.intervalSeconds) : pending();
      case 'redeem':
        await noteRedeemed(tx, deviceHash, nowMs);
        return giveFirstToken(tx, plan.sessionId, by);
      default:
        return unreachable(plan);
    }
  }

  async function giveFirstToken(tx: Transaction, sessionId: string, by: Actor): Promise<TokenAnswer | AppError> {
    const session = await readLiveSession(tx, sessionId);
    if (session === undefined) return expired(); // a new password, say, has ended it meanwhile
    const { accountId, createdAt } = session;
    refuseSuspended(accountId);
    const issued = await issueToken({ accountId, sessionId, endsAt: sessionEndOf(createdAt) });
    if (!(await giveToken(tx, { sessionId, ...issued }))) return expired();
    const object = { kind: 'account', id: accountId };
    const act = { action: 'account.signed_in', accountId, object, detail: { by: 'device_login' } } as const;
    await recordAct(tx, asSession(by, { accountId, sessionId }), act);
    return toTokenAnswer(issued.accessToken, issued.issuedAt);
  }
}

function pending(): AppError {
  return new AppError('authorization_pending', 'Nobody has approved the sign-in yet. Ask again after the interval.');
}

function tooFast(intervalSeconds: number): AppError {
  return new AppError('slow_down', `Ask every ${intervalSeconds} seconds from now on.`);
}

function expired(): AppError {
  return new AppError('expired_token', 'The code is unknown, expired or used. Begin the sign-in again.');
}
