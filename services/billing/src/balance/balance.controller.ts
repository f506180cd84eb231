import { Controller, Get, Req, Res } from '@nestjs/common';
import { toUsdNumber } from '@tollgate/kernel/usd-number';
import { accountIdOf } from '@tollgate/runtime/http/request-context';
import { sendJson } from '@tollgate/runtime/http/send-json';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';
import type { Request, Response } from 'express';
import type { FindBalance } from './find-balance.ts';
import { toApiOwnCredit } from './to-api-credit.ts';

export function balanceController({ findBalance }: { readonly findBalance: FindBalance }): NestController {
  @Controller('v1/billing/balance')
  class BalanceController {
    @Get()
    async find(@Req() request: Request, @Res() response: Response): Promise<void> {
      const { balanceMicros, credits } = await findBalance(accountIdOf(request));
      const body = { currency: 'usd', balance_usd: toUsdNumber(balanceMicros), credits: credits.map(toApiOwnCredit) };
      sendJson(response, 200, body);
    }
  }
  return BalanceController;
}
