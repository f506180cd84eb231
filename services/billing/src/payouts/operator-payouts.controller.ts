import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { idSchema } from '@tollgate/contracts/id';
import { payoutQuerySchema } from '@tollgate/contracts/payouts';
import { AppError } from '@tollgate/kernel/app-error';
import { parseParams, parseQuery } from '@tollgate/runtime/http/parse';
import { sendJson } from '@tollgate/runtime/http/send-json';
import type { Request, Response } from 'express';
import { sendPayoutPage } from './send-payout-page.ts';
import { toApiPayoutAttempts } from './to-api-payout.ts';
import { token, type UseCases } from '../edge/use-cases.ts';

@Controller('v1/operator')
export class OperatorPayoutsController {
  constructor(
    @Inject(token('accounts')) private readonly accounts: UseCases['accounts'],
    @Inject(token('listPayouts')) private readonly listPayouts: UseCases['listPayouts'],
    @Inject(token('findPayoutAttempts')) private readonly findPayoutAttempts: UseCases['findPayoutAttempts'],
  ) {}

  @Get('accounts/:account_id/payouts')
  async list(@Req() request: Request, @Res() response: Response, @Param('account_id') asked: string): Promise<void> {
    const builderId = parseParams(idSchema, asked);
    const query = parseQuery(payoutQuerySchema, request.url);
    const account = await this.accounts.find(builderId);
    if (account === undefined) throw new AppError('not_found', 'There is no such account.');
    await sendPayoutPage(response, this.listPayouts, { ...query, builderId });
  }

  @Get('payouts/:payout_id/attempts')
  async attempts(@Res() response: Response, @Param('payout_id') asked: string): Promise<void> {
    sendJson(response, 200, toApiPayoutAttempts(await this.findPayoutAttempts(parseParams(idSchema, asked))));
  }
}
