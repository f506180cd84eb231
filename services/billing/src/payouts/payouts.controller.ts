import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { idSchema } from '@tollgate/contracts/id';
import { payoutQuerySchema, statementQuerySchema } from '@tollgate/contracts/payouts';
import { periodOf } from '@tollgate/kernel/period';
import { parseParams, parseQuery } from '@tollgate/runtime/http/parse';
import { accountIdOf } from '@tollgate/runtime/http/request-context';
import { sendJson } from '@tollgate/runtime/http/send-json';
import type { Request, Response } from 'express';
import { sendPayoutPage } from './send-payout-page.ts';
import { toApiPayoutDetail, toApiStatement } from './to-api-payout.ts';
import { token, type UseCases } from '../edge/use-cases.ts';

@Controller('v1/billing')
export class PayoutsController {
  constructor(
    @Inject(token('listPayouts')) private readonly listPayouts: UseCases['listPayouts'],
    @Inject(token('findPayout')) private readonly findPayout: UseCases['findPayout'],
    @Inject(token('readStatement')) private readonly readStatement: UseCases['readStatement'],
    @Inject(token('nowMs')) private readonly nowMs: UseCases['nowMs'],
  ) {}

  @Get('payouts')
  async list(@Req() request: Request, @Res() response: Response): Promise<void> {
    const query = parseQuery(payoutQuerySchema, request.url);
    await sendPayoutPage(response, this.listPayouts, { ...query, builderId: accountIdOf(request) });
  }

  @Get('payouts/:id')
  async find(@Req() request: Request, @Res() response: Response, @Param('id') asked: string): Promise<void> {
    const id = parseParams(idSchema, asked);
    sendJson(response, 200, toApiPayoutDetail(await this.findPayout({ builderId: accountIdOf(request), id })));
  }

  @Get('statements')
  async state(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { period = periodOf(this.nowMs()) } = parseQuery(statementQuerySchema, request.url);
    sendJson(response, 200, toApiStatement(await this.readStatement({ builderId: accountIdOf(request), period })));
  }
}
