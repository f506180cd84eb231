import type { IncomingMessage } from 'node:http';
import type { Queryable } from '@tollgate/database/database';
import { isUuid } from '@tollgate/kernel/uuid';
import { contextOf, routeOf } from '../http/requests/request-context.ts';
import { actorOf } from './actor-of.ts';
import { recordAct } from './record-act.ts';

/** Records a request in the audit trail if it asks for an export. */
export type RecordExport = (request: IncomingMessage) => Promise<void>;

/**
 * Records that a caller asked for an export: a file, a reconciliation, or a list as a table. An export changes nothing, so
 * its row is written before the answer. `db` connects as a worker: the operator has no account.
 */
export function createRecordExport(db: Queryable): RecordExport {
  return async function recordExport(request) {
    const { operationId, isExport = false } = routeOf(request);
    if (!isExport && !asksForTable(request.url ?? '')) return;
    const by = actorOf(request);
    const ids = Object.entries(contextOf(request)?.params ?? {}).filter(([, value]) => isUuid(value));
    const object = { kind: 'export', id: operationId };
    const act = { action: 'data.exported', accountId: by.accountId, object, detail: Object.fromEntries(ids) } as const;
    await recordAct(db, by, act);
  };
}

function asksForTable(url: string): boolean {
  const query = url.indexOf('?');
  return query !== -1 && new URLSearchParams(url.slice(query)).get('format') === 'csv';
}
