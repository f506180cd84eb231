import { uuidV7 } from '@tollgate/kernel/uuid';
import type { Clock } from '@tollgate/kernel/clock';
import { toTokenAnswer, type IssueToken, type TokenAnswer } from './access-token.ts';
import { sessionEndOf } from './plan-refresh.ts';
import type { NewSession } from './sql-session.ts';

export type PrepareSession = (accountId: string) => Promise<{ session: NewSession; answer: TokenAnswer }>;

/** Makes a session that is not stored yet, and the answer to send once it is stored. */
export function createPrepareSession({ issueToken, clock }: { issueToken: IssueToken; clock: Clock }): PrepareSession {
  return async function prepareSession(accountId) {
    const now = clock.now();
    const sessionId = uuidV7(now);
    const { accessToken, tokenId, expiresAt, issuedAt } = await issueToken({
      accountId,
      sessionId,
      endsAt: sessionEndOf(now),
    });
    return {
      session: { accountId, sessionId, tokenId, tokenExpiresAt: expiresAt, createdAt: issuedAt },
      answer: toTokenAnswer(accessToken, issuedAt),
    };
  };
}
