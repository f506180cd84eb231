import type { Transaction } from '@tollgate/database/database';
import type { PageStart } from '@tollgate/runtime/http/lists/page-position';
import { sessionAgeMaxMs, sessionLifeMs } from './plan-refresh.ts';

export interface LiveSession {
  readonly sessionId: string;
  readonly createdAtMs: number;
  readonly refreshedAtMs: number;
}

export interface LiveSessionsQuery extends PageStart {
  readonly accountId: string;
  readonly nowMs: number;
  readonly limit: number;
}

interface SessionRow {
  session_id: string;
  created_at: Date;
  refreshed_at: Date;
  total: number;
}

type Row = SessionRow | { session_id: null; total: number };

const list = {
  name: 'auth.list_live_sessions',
  text: `with live as (
  select session_id, created_at, refreshed_at from auth.session
  where account_id = $1 and ended_at is null and refreshed_at > $2 and created_at > $3
)
select page.session_id, page.created_at, page.refreshed_at, counted.total
from (select count(*)::int as total from live) as counted left join (
  select session_id, created_at, refreshed_at from live
  where $4::timestamptz is null or (created_at, session_id) < ($4, $5::uuid)
  order by created_at desc, session_id desc limit $6
) as page on true
order by page.created_at desc, page.session_id desc`,
};

/** A page of the sessions that may still refresh, newest first, and how many there are in all. */
export async function listLiveSessions(
  tx: Transaction,
  { accountId, nowMs, after, limit }: LiveSessionsQuery,
): Promise<{ readonly sessions: LiveSession[]; readonly total: number }> {
  const lives = [new Date(nowMs - sessionLifeMs), new Date(nowMs - sessionAgeMaxMs)];
  const position = after ? [new Date(after.createdAtMs), after.id] : [null, null];
  const rows = await tx.query<Row>(list, [accountId, ...lives, ...position, limit]);
  return { sessions: rows.filter(isSession).map(fromRow), total: rows[0]?.total ?? 0 };
}

/** An empty page has one row, with the total alone. */
function isSession(row: Row): row is SessionRow {
  return row.session_id !== null;
}

function fromRow({ session_id, created_at, refreshed_at }: SessionRow): LiveSession {
  return { sessionId: session_id, createdAtMs: created_at.getTime(), refreshedAtMs: refreshed_at.getTime() };
}
