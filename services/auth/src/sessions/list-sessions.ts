import type { Clock } from '@tollgate/kernel/clock';
import type { Database } from '@tollgate/database/database';
import { listLiveSessions, type LiveSessionsQuery } from './sql-live-sessions.ts';

export type ListSessions = (query: Omit<LiveSessionsQuery, 'nowMs'>) => ReturnType<typeof listLiveSessions>;

/** A page of the account's own live sessions. */
export function createListSessions({ api, clock }: { readonly api: Database; readonly clock: Clock }): ListSessions {
  return function listSessions(query) {
    const { accountId } = query;
    return api.transaction((tx) => listLiveSessions(tx, { ...query, nowMs: clock.now() }), { accountId });
  };
}
