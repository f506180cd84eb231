import { Controller, Get, Req, Res } from '@nestjs/common';
import { usageQuerySchema, tagsOf, type UsageQuery as ApiUsageQuery } from '@tollgate/contracts/money/usage';
import { parseQuery } from '@tollgate/runtime/http/requests/parse';
import { accountIdOf } from '@tollgate/runtime/http/requests/request-context';
import { sendJsonText, sendJson } from '@tollgate/runtime/http/answers/send-json';
import type { Request, Response } from 'express';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';
import { toIso } from '@tollgate/kernel/clock';
import { mapInTurns } from '@tollgate/runtime/timing/map-in-turns';
import { toUsdNumber } from '@tollgate/kernel/usd-number';
import { toJsonInteger } from '@tollgate/runtime/http/answers/to-json-integer';
import { pageQuerySchema } from '@tollgate/contracts/forms/lists';
import type { UsageAlert as ApiUsageAlert } from '@tollgate/contracts/operator/operator';
import type { Queryable } from '@tollgate/database/database';
import { toListPage } from '@tollgate/runtime/http/lists/list-page';
import { pagePosition } from '@tollgate/runtime/http/lists/page-position';
import type { ReadUsage, Usage } from './read-usage.ts';
import type { UsageQuery, UsageMoney, UsageRow, UsageTotals } from './usage-row.ts';
import { usageWindow } from './usage-window.ts';
import { listUsageAlerts, type UsageAlert } from './sql-usage-alerts.ts';

export interface UsageUseCases {
  readonly readUsage: ReadUsage;
  readonly nowMs: () => number;
}

export function usageController({ readUsage, nowMs }: UsageUseCases): NestController {
  @Controller('v1/usage')
  class UsageController {
    @Get()
    async read(@Req() request: Request, @Res() response: Response): Promise<void> {
      const apiQuery = parseQuery(usageQuerySchema, request.url);
      const query = fromApiUsageQuery(apiQuery, { accountId: accountIdOf(request), nowMs: nowMs() });
      sendJsonText(response, 200, await toUsageText(await readUsage(query), query.tags));
    }
  }
  return UsageController;
}

export interface UsageContext {
  readonly accountId: string;
  readonly nowMs: number;
}

/** Throws `invalid_request` if the window, with defaults for missing bounds, would end before it begins. */
function fromApiUsageQuery(query: ApiUsageQuery, { accountId, nowMs }: UsageContext): UsageQuery {
  return {
    accountId,
    role: query.role,
    ...usageWindow({ fromMs: query.from, toMs: query.to }, nowMs),
    groupBy: new Set(query.group_by),
    tags: tagsOf(query.group_by ?? []),
    ...(query.tool_id !== undefined && { toolId: query.tool_id }),
    ...(query.granularity !== undefined && { granularity: query.granularity }),
  };
}

/** Converts usage to the text of the answer. Rows have only the dimensions, and the tags, that the query groups by. */
async function toUsageText({ rows, totals, countedThroughMs }: Usage, tags: readonly string[] = []): Promise<string> {
  const usage = await mapInTurns(rows, (row) => JSON.stringify(toApiRow(row, tags)));
  const end = JSON.stringify({ totals: toApiSums(totals), counted_through: toIso(countedThroughMs) });
  return `{"usage":[${usage.join(',')}],${end.slice(1)}`;
}

function toApiRow(row: UsageRow, tags: readonly string[]) {
  const { startMs, toolId, consumerId, success, passId, tags: values } = row;
  return {
    ...(startMs !== undefined && { start: toIso(startMs) }),
    ...(toolId !== undefined && { tool_id: toolId }),
    ...(consumerId !== undefined && { consumer_id: consumerId }),
    ...(success !== undefined && { success }),
    ...(passId !== undefined && { pass_id: passId }),
    ...(values && { tags: Object.fromEntries(tags.map((name, index) => [name, values[index] ?? null])) }),
    ...toApiSums(row),
  };
}

function toApiSums({ calls, successes, failures, durationMs, measures, money }: UsageTotals) {
  return {
    calls: toJsonInteger(calls),
    successes: toJsonInteger(successes),
    failures: toJsonInteger(failures),
    duration_ms: toJsonInteger(durationMs),
    measures: Object.fromEntries(measures), // defines properties, never assigns them: a key may be named __proto__
    ...(money && toApiMoney(money)),
  };
}

function toApiMoney({ chargeMicros, split }: UsageMoney) {
  return {
    charge_usd: toUsdNumber(chargeMicros),
    ...(split && { earning_usd: toUsdNumber(split.earningMicros), fee_usd: toUsdNumber(split.feeMicros) }),
  };
}

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
