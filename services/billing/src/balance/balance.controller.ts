import { Controller, Get, Req, Res } from '@nestjs/common';
import { toUsdNumber } from '@tollgate/kernel/usd-number';
import { accountIdOf } from '@tollgate/runtime/http/requests/request-context';
import { sendJson } from '@tollgate/runtime/http/answers/send-json';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';
import type { Request, Response } from 'express';
import type { FindBalance } from './find-balance.ts';
import type { SpendableBound } from './plan-spendable.ts';
import { toApiAutoTopUp } from './to-api-auto-top-up.ts';
import { toApiOwnCredit } from './to-api-credit.ts';
import { toApiThresholds } from './to-api-thresholds.ts';

export function balanceController({ findBalance }: { readonly findBalance: FindBalance }): NestController {
  @Controller('v1/billing/balance')
  class BalanceController {
    @Get()
    async find(@Req() request: Request, @Res() response: Response): Promise<void> {
      const { balanceMicros, heldMicros, availableMicros, bound, ...found } = await findBalance(accountIdOf(request));
      sendJson(response, 200, {
        currency: 'usd',
        balance_usd: toUsdNumber(balanceMicros),
        held_usd: toUsdNumber(heldMicros),
        ...toApiBound(bound),
        available_usd: toUsdNumber(availableMicros),
        auto_top_up: found.autoTopUp === undefined ? null : toApiAutoTopUp(found.autoTopUp),
        alerts_below_usd: toApiThresholds(found.thresholdsCents),
        credits: found.credits.map(toApiOwnCredit),
      });
    }
  }
  return BalanceController;
}

function toApiBound(bound: SpendableBound | undefined) {
  if (bound === undefined) return { owed_usd: null, unbilled_usd: null, credit_limit_usd: null };
  return {
    owed_usd: toUsdNumber(bound.owedMicros),
    unbilled_usd: toUsdNumber(bound.unbilledMicros),
    credit_limit_usd: toUsdNumber(bound.creditLimitMicros),
  };
}
