import { Controller, Get, Req, Res } from '@nestjs/common';
import { type MoneyPath, moneyPathQuerySchema } from '@tollgate/contracts/operator/money-path';
import type { Database } from '@tollgate/database/database';
import { toUsdNumber } from '@tollgate/kernel/usd-number';
import { sendJson } from '@tollgate/runtime/http/answers/send-json';
import { parseQuery } from '@tollgate/runtime/http/requests/parse';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';
import type { Request, Response } from 'express';
import { planMoneyPath, type MoneyPathSums } from './plan-money-path.ts';
import { readMoneyPath } from './read-money-path.ts';

export function moneyPathController({ reconciling }: { readonly reconciling: Database }): NestController {
  @Controller('v1/operator/money-path')
  class MoneyPathController {
    @Get()
    async get(@Req() request: Request, @Res() response: Response): Promise<void> {
      const { period } = parseQuery(moneyPathQuerySchema, request.url);
      sendJson(response, 200, toApiMoneyPath(period, planMoneyPath(await readMoneyPath(reconciling, period))));
    }
  }
  return MoneyPathController;
}

function toApiMoneyPath(period: string, sums: MoneyPathSums) {
  return {
    period,
    owed_before_usd: toUsdNumber(sums.owedBefore),
    charged_usd: toUsdNumber(sums.charged),
    paid_usd: toUsdNumber(sums.paid),
    paid_by_card_usd: toUsdNumber(sums.paidByCard),
    paid_by_balance_usd: toUsdNumber(sums.paidByBalance),
    written_off_usd: toUsdNumber(sums.writtenOff),
    owed_after_usd: toUsdNumber(sums.owedAfter),
    platform_fees_usd: toUsdNumber(sums.platformFees),
    earnings_usd: toUsdNumber(sums.earnings),
    payable_before_usd: toUsdNumber(sums.payableBefore),
    paid_out_usd: toUsdNumber(sums.paidOut),
    taken_back_usd: toUsdNumber(sums.takenBack),
    payable_after_usd: toUsdNumber(sums.payableAfter),
  } satisfies Record<keyof MoneyPath, unknown>;
}
