import type { Transaction } from '@tollgate/database/database';
import type { TokenRotation } from '../ports.ts';

/**
 * Replaces the newest token by compare-and-set, and keeps the sealed successor for those who present the old one within
 * the grace. One statement: after a crash either both are there or neither, so old or new is valid, never both or none.
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
  return (await tx.query(statement, values)).length === 1;
}

const statement = {
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
