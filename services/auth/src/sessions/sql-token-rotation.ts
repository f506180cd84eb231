import type { Transaction } from '@tollgate/database/database';

export interface TokenRotation {
  readonly sessionId: string;
  readonly fromTokenId: string;
  readonly toTokenId: string;
  readonly toTokenExpiresAt: number;
  readonly rotatedAt: number;
  readonly successorSealed: Uint8Array;
}

const rotate = {
  name: 'auth.rotate_token',
  text: `with rotated as (
  update auth.session
  set token_id = $3, token_expires_at = greatest(token_expires_at, $4), refreshed_at = greatest(refreshed_at, $5)
  where session_id = $1 and token_id = $2 and ended_at is null
  returning session_id, account_id
)
insert into auth.token_rotation (session_id, token_id, account_id, rotated_at, successor_sealed)
select session_id, $2, account_id, $5, $6 from rotated
returning session_id`,
};

/**
 * Replaces the newest token by compare-and-set: of all callers that replace the same token, one gets true. False for an
 * ended session too. The same statement stores the sealed successor for callers that present the old token within the
 * grace. So after a crash either the old or the new token is valid, never both or neither.
 */
export async function rotateToken(tx: Transaction, rotation: TokenRotation): Promise<boolean> {
  const values = [
    rotation.sessionId,
    rotation.fromTokenId,
    rotation.toTokenId,
    new Date(rotation.toTokenExpiresAt),
    new Date(rotation.rotatedAt),
    rotation.successorSealed,
  ];
  return (await tx.query(rotate, values)).length === 1;
}

const deleteStale = {
  name: 'auth.delete_stale_rotations',
  text: 'delete from auth.token_rotation where session_id = $1 and rotated_at < $2',
};

/** Deletes the rotations of one session that are too old to be repeated. */
export async function deleteStaleRotations(tx: Transaction, sessionId: string, before: number): Promise<void> {
  await tx.query(deleteStale, [sessionId, new Date(before)]);
}
