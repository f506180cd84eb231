import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import { unreachable } from '@tollgate/kernel/unreachable';
import type { Actor } from '@tollgate/runtime/http/requests/act';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import type { Database } from '@tollgate/database/database';
import type { SealedBox } from '@tollgate/kernel/sealed-box';
import { toTokenAnswer, type IssueToken, type TokenAnswer } from './access-token.ts';
import { planRefresh, rotationGraceMs, type RefreshPlan } from './plan-refresh.ts';
import { endSession, readSessionFacts } from './sql-session.ts';
import { deleteStaleRotations, rotateToken } from './sql-token-rotation.ts';

/** The claims of a token that we signed. It may have expired. */
export interface PresentedToken {
  readonly accountId: string;
  readonly sessionId: string;
  readonly tokenId: string;
}

interface Deps {
  /** Connects as auth_api: a statement sees the sessions of the account that the token names, and no other. */
  readonly api: Database;
  readonly issueToken: IssueToken;
  readonly box: SealedBox;
  readonly clock: Clock;
}

export type RefreshToken = (presented: PresentedToken, by: Actor) => Promise<TokenAnswer>;

/**
 * A lost compare-and-set means that another caller has rotated the token, and the next round finds its successor. So the
 * second round is the last, unless the session ends in between, which the third round finds.
 */
const roundsMax = 4;

export function createRefreshToken({ api, issueToken, box, clock }: Deps): RefreshToken {
  return async function refreshToken(presented, by) {
    const { accountId, tokenId } = presented;
    for (let round = 1; round <= roundsMax; round += 1) {
      const facts = await api.transaction((tx) => readSessionFacts(tx, presented), { accountId });
      const plan = planRefresh(facts, { tokenId, now: clock.now() });
      if (plan.kind === 'end_session') await end(presented, by);
      const answer = await apply(plan, presented);
      if (answer !== undefined) return answer;
    }
    throw new AppError('unavailable', 'The session changed meanwhile. Try again.', { retryAfterSeconds: 1 });
  };

  async function apply(plan: RefreshPlan, presented: PresentedToken): Promise<TokenAnswer | undefined> {
    switch (plan.kind) {
      case 'rotate':
        return rotate(presented, plan.endsAt);
      case 'repeat':
        return repeat(plan.successorSealed, presented);
      case 'end_session':
      case 'refuse':
        throw unauthorized();
      default:
        return unreachable(plan);
    }
  }

  async function rotate(presented: PresentedToken, endsAt: number): Promise<TokenAnswer | undefined> {
    const { accountId, sessionId, tokenId: fromTokenId } = presented;
    const { accessToken, tokenId, expiresAt, issuedAt } = await issueToken({ ...presented, endsAt });
    const successorSealed = box.seal(accessToken, sessionId);
    const successor = { toTokenId: tokenId, toTokenExpiresAt: expiresAt, successorSealed, rotatedAt: issuedAt };
    const isRotated = await api.transaction(
      async (tx) => {
        if (!(await rotateToken(tx, { sessionId, fromTokenId, ...successor }))) return false;
        await deleteStaleRotations(tx, sessionId, issuedAt - 2 * rotationGraceMs);
        return true;
      },
      { accountId },
    );
    return isRotated ? toTokenAnswer(accessToken, issuedAt) : undefined;
  }

  /** An ECDSA signature differs each time. Callers get equal tokens because the successor is kept, sealed, and not signed again. */
  function repeat(sealed: Uint8Array, presented: PresentedToken): TokenAnswer {
    const accessToken = box.open(sealed, presented.sessionId);
    if (accessToken === undefined) throw unauthorized(); // another secret sealed it; the newest token still refreshes
    return toTokenAnswer(accessToken, clock.now());
  }

  async function end({ accountId, sessionId }: PresentedToken, by: Actor): Promise<void> {
    const ended = { sessionId, endedAt: clock.now(), because: 'token_reused' } as const;
    const object = { kind: 'session', id: sessionId };
    const act = { action: 'session.ended', accountId, object, detail: { because: ended.because } } as const;
    await api.transaction(async (tx) => (await endSession(tx, ended)) && recordAct(tx, by, act), { accountId });
  }
}

function unauthorized(): AppError {
  return new AppError('unauthorized', 'The access token cannot be refreshed. Sign in again.');
}
