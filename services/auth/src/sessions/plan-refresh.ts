import { sessionAgeMaxMs, sessionLifeMs } from '@tollgate/kernel/session-life';

/** For this long a replaced token is answered with the token that replaced it, so that concurrent callers agree. */
export const rotationGraceMs = 10_000;

export interface SessionFacts {
  /** The newest token of the session. Only this token can be exchanged for another. */
  readonly tokenId: string;
  readonly createdAt: number;
  readonly refreshedAt: number;
  readonly endedAt: number | undefined;
  /** The rotation that replaced the presented token; undefined when there was none, or when it was too long ago. */
  readonly rotation: { readonly rotatedAt: number; readonly successorSealed: Uint8Array } | undefined;
}

export type RefreshPlan =
  | { readonly kind: 'rotate'; readonly endsAt: number }
  | { readonly kind: 'repeat'; readonly successorSealed: Uint8Array }
  | { readonly kind: 'end_session' }
  | { readonly kind: 'refuse' };

/**
 * Decides what a refresh does. When a replaced token comes back late, two parties hold tokens of the session, and one
 * party has stolen its token. Nobody knows which party, so the session ends for both.
 */
export function planRefresh(
  session: SessionFacts | undefined,
  presented: { readonly tokenId: string; readonly now: number },
): RefreshPlan {
  if (session === undefined || session.endedAt !== undefined) return { kind: 'refuse' };
  const endsAt = sessionEndOf(session.createdAt);
  if (presented.now >= Math.min(session.refreshedAt + sessionLifeMs, endsAt)) return { kind: 'refuse' };
  if (presented.tokenId === session.tokenId) return { kind: 'rotate', endsAt };
  const { rotation } = session;
  if (rotation === undefined || presented.now > rotation.rotatedAt + rotationGraceMs) return { kind: 'end_session' };
  return { kind: 'repeat', successorSealed: rotation.successorSealed };
}

/** When a session ends at the latest, in whole seconds as tokens count: no token of it expires later. */
export function sessionEndOf(createdAt: number): number {
  return Math.floor((createdAt + sessionAgeMaxMs) / 1_000) * 1_000;
}
