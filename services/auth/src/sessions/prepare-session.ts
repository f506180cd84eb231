import { uuidV7 } from '@tollgate/kernel/uuid';
import type { Clock } from '@tollgate/kernel/clock';
import { toTokenAnswer, type IssueToken, type TokenAnswer } from './access-token.ts';
import type { NewSession } from '../ports.ts';

/** A session that is not stored yet, and the answer to give once it is. */
export async function prepareSession(
  accountId: string,
  { issueToken, clock }: { issueToken: IssueToken; clock: Clock },
): Promise<{ session: NewSession; answer: TokenAnswer }> {
  const sessionId = uuidV7(clock.now());
  const token = await issueToken({ accountId, sessionId });
  return {
    session: {
      accountId,
      sessionId,
      tokenId: token.tokenId,
      tokenExpiresAt: token.expiresAt,
      createdAt: token.issuedAt,
    },
    answer: toTokenAnswer(token.accessToken, token.issuedAt),
  };
}
