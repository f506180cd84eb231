import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { idSchema } from '@tollgate/contracts/forms/id';
import { payoutQuerySchema, statementQuerySchema } from '@tollgate/contracts/money/payouts';
import { periodOf } from '@tollgate/kernel/period';
import { parseParams, parseQuery } from '@tollgate/runtime/http/requests/parse';
import { accountIdOf } from '@tollgate/runtime/http/requests/request-context';
import { sendJson, sendJsonText } from '@tollgate/runtime/http/answers/send-json';
import type { Request, Response } from 'express';
import { sendPayoutPage } from './send-payout-page.ts';
import { toApiPayoutDetail, toStatementText } from './to-api-payout.ts';
import type { FindPayout } from './find-payout.ts';
import type { ListPayouts } from './list-payouts.ts';
import type { ReadStatement } from './read-statement.ts';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';

export interface PayoutsUseCases {
  readonly listPayouts: ListPayouts;
  readonly findPayout: FindPayout;
  readonly readStatement: ReadStatement;
  readonly nowMs: () => number;
}

export function payoutsController({ listPayouts, findPayout, readStatement, nowMs }: PayoutsUseCases): NestController {
  @Controller('v1/billing')
  class PayoutsController {
    @Get('payouts')
    async list(@Req() request: Request, @Res() response: Response): Promise<void> {
      const query = parseQuery(payoutQuerySchema, request.url);
      await sendPayoutPage(response, listPayouts, { ...query, builderId: accountIdOf(request) });
    }

    @Get('payouts/:id')
    async find(@Req() request: Request, @Res() response: Response, @Param('id') idText: string): Promise<void> {
      const id = parseParams(idSchema, idText);
      sendJson(response, 200, toApiPayoutDetail(await findPayout({ builderId: accountIdOf(request), id })));
    }

    @Get('statements')
    async state(@Req() request: Request, @Res() response: Response): Promise<void> {
      const { period = periodOf(nowMs()) } = parseQuery(statementQuerySchema, request.url);
      const statement = await readStatement({ builderId: accountIdOf(request), period });
      sendJsonText(response, 200, await toStatementText(statement));
    }
  }
  return PayoutsController;
}
