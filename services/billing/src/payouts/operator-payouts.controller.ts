import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { idSchema } from '@tollgate/contracts/id';
import { payoutQuerySchema } from '@tollgate/contracts/payouts';
import { AppError } from '@tollgate/kernel/app-error';
import { parseParams, parseQuery } from '@tollgate/runtime/http/parse';
import { sendJson } from '@tollgate/runtime/http/send-json';
import type { Request, Response } from 'express';
import { sendPayoutPage } from './send-payout-page.ts';
import { toApiPayoutAttempts } from './to-api-payout.ts';
import type { Account } from '../invoicing/sql-accounts.ts';
import type { FindPayoutAttempts } from './find-payout-attempts.ts';
import type { ListPayouts } from './list-payouts.ts';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';

export interface OperatorPayoutsUseCases {
  readonly findAccount: (accountId: string) => Promise<Account | undefined>;
  readonly listPayouts: ListPayouts;
  readonly findPayoutAttempts: FindPayoutAttempts;
}

export function operatorPayoutsController({
  findAccount,
  listPayouts,
  findPayoutAttempts,
}: OperatorPayoutsUseCases): NestController {
  @Controller('v1/operator')
  class OperatorPayoutsController {
    @Get('accounts/:account_id/payouts')
    async list(@Req() request: Request, @Res() response: Response, @Param('account_id') idText: string): Promise<void> {
      const builderId = parseParams(idSchema, idText);
      const query = parseQuery(payoutQuerySchema, request.url);
      const account = await findAccount(builderId);
      if (account === undefined) throw new AppError('not_found', `There is no account \`${builderId}\`.`);
      await sendPayoutPage(response, listPayouts, { ...query, builderId });
    }

    @Get('payouts/:payout_id/attempts')
    async attempts(@Res() response: Response, @Param('payout_id') idText: string): Promise<void> {
      sendJson(response, 200, toApiPayoutAttempts(await findPayoutAttempts(parseParams(idSchema, idText))));
    }
  }
  return OperatorPayoutsController;
}
