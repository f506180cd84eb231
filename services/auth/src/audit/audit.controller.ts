import { Controller, Get, Req, Res } from '@nestjs/common';
import { actIdSchema, activityQuerySchema, actSchema, auditQuerySchema } from '@tollgate/contracts/operator/audit';
import type { Database } from '@tollgate/database/database';
import { toListPage } from '@tollgate/runtime/http/lists/list-page';
import { pagePosition } from '@tollgate/runtime/http/lists/page-position';
import { parseQuery } from '@tollgate/runtime/http/requests/parse';
import { accountIdOf } from '@tollgate/runtime/http/requests/request-context';
import { sendJson } from '@tollgate/runtime/http/answers/send-json';
import { sendTable } from '@tollgate/runtime/http/answers/send-table';
import type { Request, Response } from 'express';
import { listActs, listOwnActs, type OwnActRow } from './sql-acts.ts';
import { toApiAct, toApiOwnAct } from './to-api-act.ts';

interface Deps {
  /** Connects as auth_api: an account sees the acts that concern it. */
  readonly api: Database;
  readonly worker: Database;
}

const columns = Object.keys(actSchema.shape);

export function auditController({ api, worker }: Deps) {
  @Controller('v1')
  class AuditController {
    @Get('auth/activity')
    async activity(@Req() request: Request, @Res() response: Response): Promise<void> {
      const { limit, cursor, action, from: fromMs, to: toMs } = parseQuery(activityQuerySchema, request.url);
      const filter = { action, fromMs, toMs, limit, ...pagePosition('acts', cursor, actIdSchema) };
      const accountId = accountIdOf(request);
      const rows = await api.transaction((tx) => listOwnActs(tx, filter), { accountId });
      sendJson(response, 200, toListPage('acts', { rows, limit, total: null, cursorOf, toApi: toApiOwnAct }));
    }

    @Get('operator/audit')
    async list(@Req() request: Request, @Res() response: Response): Promise<void> {
      const query = parseQuery(auditQuerySchema, request.url);
      const { limit, cursor, action, from: fromMs, to: toMs, account_id: accountId, format } = query;
      const filter = { action, fromMs, toMs, accountId, limit, ...pagePosition('acts', cursor, actIdSchema) };
      const rows = await listActs(worker, filter);
      const body = toListPage('acts', { rows, limit, total: null, cursorOf, toApi: toApiAct });
      const table = body.acts.map((act) => ({ ...act, detail: JSON.stringify(act.detail) }));
      sendTable(response, { format, body, rows: table, columns, name: 'audit', nextCursor: body.next_cursor });
    }
  }
  return AuditController;
}

function cursorOf({ occurred_at, act_id }: OwnActRow): readonly unknown[] {
  return [occurred_at.getTime(), act_id.toString()];
}
