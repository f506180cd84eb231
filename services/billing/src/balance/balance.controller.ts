import { Controller, Get, Req, Res } from '@nestjs/common';
import { micros } from '@tollgate/kernel/money';
import { toUsdNumber } from '@tollgate/kernel/usd-number';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import { accountIdOf } from '@tollgate/runtime/http/request-context';
import { sendJson } from '@tollgate/runtime/http/send-json';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';
import type { Request, Response } from 'express';
import type { FindBalance } from './find-balance.ts';
import { toApiAutoTopUp } from './to-api-auto-top-up.ts';
import { toApiOwnCredit } from './to-api-credit.ts';

export function balanceController({ findBalance }: { readonly findBalance: FindBalance }): NestController {
  @Controller('v1/billing/balance')
  class BalanceController {
    @Get()
    async find(@Req() request: Request, @Res() response: Response): Promise<void> {
      const { balanceMicros, credits, heldCents, autoTopUp } = await findBalance(accountIdOf(request));
      const heldMicros = centsToMicros(heldCents);
      sendJson(response, 200, {
        currency: 'usd',
        balance_usd: toUsdNumber(balanceMicros),
        held_usd: toUsdNumber(heldMicros),
        available_usd: toUsdNumber(micros(balanceMicros - heldMicros)),
        auto_top_up: autoTopUp === undefined ? null : toApiAutoTopUp(autoTopUp),
        credits: credits.map(toApiOwnCredit),
      });
    }
  }
  return BalanceController;
}
