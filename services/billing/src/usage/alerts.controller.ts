import { Controller, Get, Req, Res } from '@nestjs/common';
import { pageQuerySchema } from '@tollgate/contracts/forms/lists';
import type { UsageAlert as ApiUsageAlert } from '@tollgate/contracts/operator/operator';
import type { Queryable } from '@tollgate/database/database';
import { toIso } from '@tollgate/kernel/clock';
import { toListPage } from '@tollgate/runtime/http/lists/list-page';
import { pagePosition } from '@tollgate/runtime/http/lists/page-position';
import { parseQuery } from '@tollgate/runtime/http/requests/parse';
import { sendJson } from '@tollgate/runtime/http/answers/send-json';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';
import type { Request, Response } from 'express';
import { listUsageAlerts, type UsageAlert } from './sql-usage-alerts.ts';

export function alertsController({ worker }: { readonly worker: Queryable }): NestController {
  @Controller('v1/operator/usage-alerts')
  class AlertsController {
    @Get()
    async list(@Req() request: Request, @Res() response: Response): Promise<void> {
      const { limit, cursor } = parseQuery(pageQuerySchema, request.url);
      const page = await listUsageAlerts(worker, { limit, ...pagePosition('usage_alerts', cursor) });
      sendJson(response, 200, toListPage('alerts', { list: 'usage_alerts', ...page, limit, cursorOf, toApi }));
    }
  }
  return AlertsController;
}

function toApi({ id, consumerId, toolId, day, calls, usualCalls, raisedAtMs }: UsageAlert): ApiUsageAlert {
  const what = { id, account_id: consumerId, tool_id: toolId, day };
  return { ...what, calls, usual_calls: usualCalls, raised_at: toIso(raisedAtMs) };
}

function cursorOf({ raisedAtMs, id }: UsageAlert): readonly unknown[] {
  return [raisedAtMs, id];
}
