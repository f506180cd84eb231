import { approvalMinutes } from '@tollgate/contracts/spending/approvals';
import type { Database, Transaction } from '@tollgate/database/database';
import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import { minuteMs } from '@tollgate/kernel/durations';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import type { Actor } from '@tollgate/runtime/http/requests/act';
import { isSessionAlive } from '../sessions/sql-session.ts';
import { findApproval, putAnswer, type Approval } from './sql-approval.ts';

interface Deps {
  /** Connects as auth_api, under the row-level policies of the account. */
  readonly api: Database;
  readonly clock: Pick<Clock, 'now'>;
  readonly refuseSuspended: (accountId: string) => void;
}

export interface AnswerToGive {
  readonly approvalId: string;
  readonly accountId: string;
  readonly sessionId: string;
  readonly state: 'approved' | 'refused';
}

/** Done in the transaction of the answer. */
export type AndThen = (tx: Transaction) => Promise<unknown>;

/**
 * Answers an approval, and returns it. A repeated answer changes nothing. Throws `unauthorized` if the sign-in has ended,
 * `account_suspended`, `not_found`, and `approval_not_open` for one that has another answer, is used, or has expired.
 */
export type AnswerApproval = (answer: AnswerToGive, by: Actor, andThen?: AndThen) => Promise<Approval>;

export function createAnswerApproval({ api, clock, refuseSuspended }: Deps): AnswerApproval {
  return async function answerApproval({ approvalId, accountId, sessionId, state }, by, andThen) {
    refuseSuspended(accountId);
    const answeredAt = clock.now();
    const expiresAt = state === 'approved' ? answeredAt + approvalMinutes * minuteMs : undefined;
    return api.transaction(
      async (tx) => {
        if (!(await isSessionAlive(tx, sessionId))) throw new AppError('unauthorized', 'The sign-in has ended.');
        if ((await findApproval(tx, approvalId, answeredAt)) === undefined) throw noSuchApproval(approvalId);
        const isNew = await putAnswer(tx, { approvalId, state, answeredAt, expiresAt });
        const after = await findApproval(tx, approvalId, answeredAt);
        if (after === undefined) throw noSuchApproval(approvalId);
        if (after.state !== state || answeredAt >= after.expiresAt) throw notOpen();
        if (isNew) await recordAnswer(tx, { accountId, approval: after, state }, by);
        await andThen?.(tx);
        return after;
      },
      { accountId },
    );
  };
}

interface Given {
  readonly accountId: string;
  readonly approval: Approval;
  readonly state: AnswerToGive['state'];
}

function recordAnswer(tx: Transaction, { accountId, approval, state }: Given, by: Actor): Promise<void> {
  const { approvalId, passId, toolId, callMicros, beyondMicros } = approval;
  const amounts = { call_micros: callMicros.toString(), beyond_micros: beyondMicros.toString() };
  const detail = { pass: passId, tool: toolId, ...amounts };
  return recordAct(tx, by, {
    action: `call.${state}`,
    accountId,
    object: { kind: 'approval', id: approvalId },
    detail,
  });
}

function noSuchApproval(approvalId: string): AppError {
  return new AppError('not_found', `No pass of yours has an approval ${approvalId}.`);
}

function notOpen(): AppError {
  const message = 'The approval is answered already, or it has expired. The next call that needs one offers another.';
  return new AppError('approval_not_open', message);
}
