import type { Queryable } from '@tollgate/database/database';
import type { SessionFacts } from './plan-refresh.ts';

interface FactsRow {
  token_id: string;
  refreshed_at: Date;
  ended_at: Date | null;
  rotated_at: Date | null;
  successor_sealed: Buffer | null;
}

/** The session, and how the presented token was replaced: in one statement, so from one snapshot. */
export async function readSessionFacts(
  db: Queryable,
  token: { sessionId: string; tokenId: string },
): Promise<SessionFacts | undefined> {
  const [row] = await db.query<FactsRow>(statement, [token.sessionId, token.tokenId]);
  return row && fromFactsRow(row);
}

function fromFactsRow(row: FactsRow): SessionFacts {
  return {
    tokenId: row.token_id,
    refreshedAt: row.refreshed_at.getTime(),
    endedAt: row.ended_at?.getTime(),
    rotation:
      row.rotated_at && row.successor_sealed
        ? { rotatedAt: row.rotated_at.getTime(), successorSealed: row.successor_sealed }
        : undefined,
  };
}

const statement = {
  name: 'auth.read_session_facts',
  text: `select s.token_id, s.refreshed_at, s.ended_at, r.rotated_at, r.successor_sealed
from auth.session s
left join auth.token_rotation r on r.session_id = s.session_id and r.token_id = $2
where s.session_id = $1`,
};
