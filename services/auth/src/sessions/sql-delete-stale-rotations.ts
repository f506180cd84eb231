import type { Transaction } from '@tollgate/database/database';

/** Rotations of one session that are older than anyone may still ask for. */
export async function deleteStaleRotations(tx: Transaction, sessionId: string, before: number): Promise<void> {
  await tx.query(statement, [sessionId, new Date(before)]);
}

const statement = {
  name: 'auth.delete_stale_rotations',
  text: 'delete from auth.token_rotation where session_id = $1 and rotated_at < $2',
};
