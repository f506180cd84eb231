/** A session lives this long from its last refresh. */
export const sessionLifeMs = 30 * 24 * 3_600_000;
/** For so long a replaced token still gets the token that replaced it, so that concurrent callers agree. */
export const rotationGraceMs = 10_000;

export interface SessionFacts {
  /** The newest token of the session, the only one that may be exchanged for another. */
  readonly tokenId: string;
  readonly refreshedAt: number;
  readonly endedAt: number | undefined;
  /** How the presented token was replaced, if it was and that is not long ago. */
  readonly rotation: { readonly rotatedAt: number; readonly successorSealed: Uint8Array } | undefined;
}

export type RefreshPlan =
  | { readonly kind: 'rotate' }
  | { readonly kind: 'repeat'; readonly successorSealed: Uint8Array }
  | { readonly kind: 'end_session' }
  | { readonly kind: 'refuse' };

/**
 * What becomes of a token that asks to be refreshed. A replaced one that comes back late has been stolen from, or by,
 * whoever holds the newest; nobody can tell which, so the session ends for both.
 */
export function planRefresh(
  session: SessionFacts | undefined,
  presented: { readonly tokenId: string; readonly now: number },
): RefreshPlan {
  if (session === undefined || session.endedAt !== undefined) return { kind: 'refuse' };
  if (presented.now >= session.refreshedAt + sessionLifeMs) return { kind: 'refuse' };
  if (presented.tokenId === session.tokenId) return { kind: 'rotate' };
  const { rotation } = session;
  if (rotation === undefined || presented.now > rotation.rotatedAt + rotationGraceMs) return { kind: 'end_session' };
  return { kind: 'repeat', successorSealed: rotation.successorSealed };
}
