import type { Clock } from '@tollgate/kernel/clock';
import type { Database } from '@tollgate/database/database';
import { listLiveSessions, type LiveSessionsQuery } from './sql-live-sessions.ts';

export type ListSessions = (
  query: Omit<LiveSessionsQuery, 'nowMs' | 'realNowMs'>,
) => ReturnType<typeof listLiveSessions>;

interface Deps {
  readonly api: Database;
  readonly clock: Clock;
  readonly realTime: Pick<Clock, 'now'>;
}

/** A page of the account's own live sessions. */
export function createListSessions({ api, clock, realTime }: Deps): ListSessions {
  return function listSessions(query) {
    const { accountId } = query;
    const times = { nowMs: clock.now(), realNowMs: realTime.now() };
    return api.transaction((tx) => listLiveSessions(tx, { ...query, ...times }), { accountId });
  };
}
