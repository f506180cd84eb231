import { Controller, Get, Req, Res } from '@nestjs/common';
import { reportQuerySchema, revenueQuerySchema } from '@tollgate/contracts/operator-lists';
import { revenueMonthSchema, trialBalanceAccountSchema } from '@tollgate/contracts/reports';
import type { Queryable } from '@tollgate/database/database';
import { periodBounds } from '@tollgate/kernel/period';
import { parseQuery } from '@tollgate/runtime/http/parse';
import { sendTable } from '@tollgate/runtime/http/send-table';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';
import type { Request, Response } from 'express';
import { sumBalances, sumRevenue } from './sql-sum-ledger.ts';
import { toApiRevenue, toApiTrialBalance } from './to-api-reports.ts';

export interface ReportsUseCases {
  readonly reconciling: Queryable;
  readonly nowMs: () => number;
}

const accountColumns = Object.keys(trialBalanceAccountSchema.shape);
const monthColumns = Object.keys(revenueMonthSchema.shape);

export function reportsController({ reconciling, nowMs }: ReportsUseCases): NestController {
  @Controller('v1/operator')
  class ReportsController {
    @Get('trial-balance')
    async balance(@Req() request: Request, @Res() response: Response): Promise<void> {
      const { format } = parseQuery(reportQuerySchema, request.url);
      const body = toApiTrialBalance(await sumBalances(reconciling), nowMs());
      sendTable(response, { format, body, rows: body.accounts, columns: accountColumns, name: 'trial-balance' });
    }

    @Get('revenue')
    async revenue(@Req() request: Request, @Res() response: Response): Promise<void> {
      const { from, to, format } = parseQuery(revenueQuerySchema, request.url);
      const sinceMs = from === undefined ? null : periodBounds(from).start;
      const untilMs = to === undefined ? null : periodBounds(to).end;
      const body = toApiRevenue(await sumRevenue(reconciling, { sinceMs, untilMs }));
      sendTable(response, { format, body, rows: body.months, columns: monthColumns, name: 'revenue' });
    }
  }
  return ReportsController;
}
