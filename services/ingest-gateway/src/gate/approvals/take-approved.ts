import type { Queryable } from '@tollgate/database/database';
import { uuidV7 } from '@tollgate/kernel/uuid';
import type { HoldWish } from '../authorizations/hold.ts';
import { undecided } from '../deciding/refusals.ts';
import type { Gate, HoldAnswer } from '../gate.ts';
import { approvalMs, approves, type Approval, type Missing, type OfferedApproval } from './approval.ts';
import { findApprovals, offerApproval, type ApprovalOf } from './sql-approval.ts';

/** An answer, and the approval by which the owner of the pass can let go through what it refuses. */
export interface Taken {
  readonly answer: HoldAnswer;
  readonly approval: OfferedApproval | undefined;
}

/** Takes a wish. What the limits of its pass refuse goes through by an approval, or is offered to the owner of the pass. */
export type TakeApproved = (wish: HoldWish) => Promise<Taken>;

interface Deps {
  readonly gate: Pick<Gate, 'take'>;
  readonly database: Queryable;
}

/** Others use, offer and answer approvals between our statements. */
const attemptsMax = 10;

/** A call that fits asks for no approval: neither a statement nor a row is for it. */
export function createTakeApproved({ gate, database }: Deps): TakeApproved {
  return async function takeApproved(wish) {
    let answer = await take(wish);
    for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
      const missing = missingOf(answer);
      if (missing === undefined || wish.passId === null) return { answer, approval: undefined };
      const of = { ...wish, passId: wish.passId };
      const standing = await findApprovals(database, of, wish.askedAtMs);
      const approved = standing.find((approval) => approves(approval, wish, missing));
      if (approved === undefined) {
        const offered = waitingOf(standing) ?? (await offer(of, missing));
        if (offered !== undefined) return { answer, approval: offered.state === 'refused' ? undefined : offered };
      } else answer = await take({ ...wish, approvalId: approved.approvalId });
    }
    throw undecided();
  };

  function take(wish: HoldWish): Promise<HoldAnswer> {
    return new Promise((resolve) => gate.take(wish, resolve));
  }

  /** Undefined: another gateway has just offered one. */
  async function offer(wish: HoldWish & ApprovalOf, missing: Missing): Promise<Standing | undefined> {
    const { askedAtMs: createdAtMs, accountId, passId, toolId, callCount } = wish;
    const approval = { approvalId: uuidV7(createdAtMs), expiresAtMs: createdAtMs + approvalMs };
    const stored = await offerApproval(database, {
      accountId,
      passId,
      toolId,
      callCount,
      createdAtMs,
      ...approval,
      ...missing,
    });
    return stored ? { ...approval, state: 'open' } : undefined;
  }
}

type Standing = OfferedApproval & Pick<Approval, 'state'>;

/** A refusal stands for the time that the approval had: its owner is not asked again. */
function waitingOf(standing: readonly Approval[]): Standing | undefined {
  return standing.find(({ state }) => state === 'open') ?? standing.find(({ state }) => state === 'refused');
}

function missingOf(answer: HoldAnswer): Missing | undefined {
  return answer.kind === 'no_room' || answer.kind === 'unapproved' ? answer.missing : undefined;
}
