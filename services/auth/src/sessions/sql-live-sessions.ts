import type { Transaction } from '@tollgate/database/database';
import type { PageStart } from '@tollgate/runtime/http/lists/page-position';
import { sessionAgeMaxMs, sessionLifeMs } from '@tollgate/kernel/session-life';
import { sessionEndOf } from './plan-refresh.ts';

export interface LiveSession {
  readonly sessionId: string;
  readonly kind: 'token' | 'browser';
  readonly createdAtMs: number;
  /** The last use, where it is a browser. */
  readonly refreshedAtMs: number;
  readonly endsAtMs: number;
}

export interface LiveSessionsQuery extends PageStart {
  readonly accountId: string;
  readonly nowMs: number;
  /** Cookies go by it. */
  readonly realNowMs: number;
  readonly limit: number;
}

interface SessionRow {
  session_id: string;
  created_at: Date;
  refreshed_at: Date;
  cookie_created_at: Date | null;
  total: number;
}

type Row = SessionRow | { session_id: null; total: number };

const list = {
  name: 'auth.list_live_sessions',
  text: `with live as (
  select s.session_id, s.created_at, coalesce(c.used_at, s.refreshed_at) as refreshed_at, c.created_at as cookie_created_at
  from auth.session s left join auth.session_cookie c using (session_id)
  where s.account_id = $1 and s.ended_at is null and case when c.session_id is null
    then s.refreshed_at > $2 and s.created_at > $3 else c.used_at > $7 and c.created_at > $8 end
)
select page.session_id, page.created_at, page.refreshed_at, page.cookie_created_at, counted.total
from (select count(*)::int as total from live) as counted left join (
  select session_id, created_at, refreshed_at, cookie_created_at from live
  where $4::timestamptz is null or (created_at, session_id) < ($4, $5::uuid)
  order by created_at desc, session_id desc limit $6
) as page on true
order by page.created_at desc, page.session_id desc`,
};

/** A page of the sessions that may still refresh or have a live cookie, newest first, and how many there are in all. */
export async function listLiveSessions(
  tx: Transaction,
  { accountId, nowMs, realNowMs, after, limit }: LiveSessionsQuery,
): Promise<{ readonly sessions: LiveSession[]; readonly total: number }> {
  const lives = (now: number) => [new Date(now - sessionLifeMs), new Date(now - sessionAgeMaxMs)];
  const position = after ? [new Date(after.createdAtMs), after.id] : [null, null];
  const rows = await tx.query<Row>(list, [accountId, ...lives(nowMs), ...position, limit, ...lives(realNowMs)]);
  return { sessions: rows.filter(isSession).map(fromRow), total: rows[0]?.total ?? 0 };
}

/** An empty page has one row, with the total alone. */
function isSession(row: Row): row is SessionRow {
  return row.session_id !== null;
}

function fromRow({ session_id, created_at, refreshed_at, cookie_created_at }: SessionRow): LiveSession {
  return {
    sessionId: session_id,
    kind: cookie_created_at === null ? 'token' : 'browser',
    createdAtMs: created_at.getTime(),
    refreshedAtMs: refreshed_at.getTime(),
    endsAtMs: sessionEndOf((cookie_created_at ?? created_at).getTime()),
  };
}
