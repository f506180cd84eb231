import { Controller, Get, Req, Res } from '@nestjs/common';
import { revenueQuerySchema, trialBalanceQuerySchema } from '@tollgate/contracts/operator/operator-lists';
import { feeMonthSchema, revenueMonthSchema, trialBalanceAccountSchema } from '@tollgate/contracts/operator/reports';
import type { Queryable } from '@tollgate/database/database';
import { parseQuery } from '@tollgate/runtime/http/requests/parse';
import { sendTable } from '@tollgate/runtime/http/answers/send-table';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';
import type { Request, Response } from 'express';
import { sumBalances, sumFees, sumRevenue } from './sql-sum-ledger.ts';
import { toApiFees, toApiRevenue, toApiTrialBalance } from './to-api-reports.ts';

export interface ReportsUseCases {
  readonly reconciling: Queryable;
  readonly nowMs: () => number;
}

const accountColumns = Object.keys(trialBalanceAccountSchema.shape);
const feeColumns = Object.keys(feeMonthSchema.shape);
const monthColumns = Object.keys(revenueMonthSchema.shape);

export function reportsController({ reconciling, nowMs }: ReportsUseCases): NestController {
  @Controller('v1/operator')
  class ReportsController {
    @Get('trial-balance')
    async balance(@Req() request: Request, @Res() response: Response): Promise<void> {
      const { period, format } = parseQuery(trialBalanceQuerySchema, request.url);
      const body = toApiTrialBalance(await sumBalances(reconciling, period), { period, asOfMs: nowMs() });
      sendTable(response, { format, body, rows: body.accounts, columns: accountColumns, name: 'trial-balance' });
    }

    @Get('revenue')
    async revenue(@Req() request: Request, @Res() response: Response): Promise<void> {
      const { from, to, format } = parseQuery(revenueQuerySchema, request.url);
      const body = toApiRevenue(await sumRevenue(reconciling, { from, to }));
      sendTable(response, { format, body, rows: body.months, columns: monthColumns, name: 'revenue' });
    }

    @Get('fees')
    async fees(@Req() request: Request, @Res() response: Response): Promise<void> {
      const { from, to, format } = parseQuery(revenueQuerySchema, request.url);
      const body = toApiFees(await sumFees(reconciling, { from, to }));
      sendTable(response, { format, body, rows: body.months, columns: feeColumns, name: 'fees' });
    }
  }
  return ReportsController;
}
