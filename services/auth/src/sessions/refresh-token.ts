import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import { unreachable } from '@tollgate/kernel/unreachable';
import { planRefresh, type RefreshPlan } from './plan-refresh.ts';
import type { SealedBox } from '../signing-keys/sealed-box.ts';
import { toTokenAnswer, type IssueToken, type TokenAnswer } from './access-token.ts';
import type { SessionStore } from '../ports.ts';

/** What a token says that was signed by us, for us; it may have expired. */
export interface PresentedToken {
  readonly accountId: string;
  readonly sessionId: string;
  readonly tokenId: string;
}

interface Deps {
  readonly sessions: SessionStore;
  readonly issueToken: IssueToken;
  readonly box: SealedBox;
  readonly clock: Clock;
}

export type RefreshToken = (presented: PresentedToken) => Promise<TokenAnswer>;

/**
 * Each lost compare-and-set means that another caller has rotated the token; the next round finds its successor. So the
 * second round settles it, unless the session ends in between, which the third finds.
 */
const roundsMax = 4;

export function createRefreshToken({ sessions, issueToken, box, clock }: Deps): RefreshToken {
  return async function refreshToken(presented) {
    for (let round = 1; round <= roundsMax; round += 1) {
      const facts = await sessions.factsOf(presented);
      const answer = await apply(planRefresh(facts, { tokenId: presented.tokenId, now: clock.now() }), presented);
      if (answer !== undefined) return answer;
    }
    throw new AppError('unavailable', 'The session changed meanwhile. Try again.', {
      retryAfterSeconds: 1,
    });
  };

  async function apply(plan: RefreshPlan, presented: PresentedToken): Promise<TokenAnswer | undefined> {
    switch (plan.kind) {
      case 'rotate':
        return rotate(presented);
      case 'repeat':
        return repeat(plan.successorSealed, presented);
      case 'end_session':
        await sessions.end({ ...presented, endedAt: clock.now(), because: 'token_reused' });
        throw unauthorized();
      case 'refuse':
        throw unauthorized();
      default:
        return unreachable(plan);
    }
  }

  async function rotate(presented: PresentedToken): Promise<TokenAnswer | undefined> {
    const token = await issueToken(presented);
    const isOurs = await sessions.rotate({
      accountId: presented.accountId,
      sessionId: presented.sessionId,
      fromTokenId: presented.tokenId,
      toTokenId: token.tokenId,
      toTokenExpiresAt: token.expiresAt,
      rotatedAt: token.issuedAt,
      successorSealed: box.seal(token.accessToken, presented.sessionId),
    });
    return isOurs ? toTokenAnswer(token.accessToken, token.issuedAt) : undefined;
  }

  /** An ECDSA signature differs each time, so the successor is kept, sealed, rather than signed again: callers get equal strings. */
  function repeat(sealed: Uint8Array, presented: PresentedToken): TokenAnswer {
    const accessToken = box.open(sealed, presented.sessionId);
    if (accessToken === undefined) throw unauthorized(); // sealed under a secret that is gone; the newest token still refreshes
    return toTokenAnswer(accessToken, clock.now());
  }
}

function unauthorized(): AppError {
  return new AppError('unauthorized', 'The access token cannot be refreshed. Sign in again.');
}
