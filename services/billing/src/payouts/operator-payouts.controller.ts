import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { idSchema } from '@tollgate/contracts/forms/id';
import { operatorPayoutQuerySchema } from '@tollgate/contracts/operator/operator-lists';
import { operatorPayoutSchema, payoutQuerySchema } from '@tollgate/contracts/money/payouts';
import type { Queryable } from '@tollgate/database/database';
import { AppError } from '@tollgate/kernel/app-error';
import { dayMs } from '@tollgate/kernel/durations';
import { toListPage } from '@tollgate/runtime/http/lists/list-page';
import { pagePosition } from '@tollgate/runtime/http/lists/page-position';
import { parseParams, parseQuery } from '@tollgate/runtime/http/requests/parse';
import { sendJson } from '@tollgate/runtime/http/answers/send-json';
import { sendTable } from '@tollgate/runtime/http/answers/send-table';
import type { Request, Response } from 'express';
import type { Processor } from '../processor/processor.ts';
import { findConnectedAccount } from '../processor/sql-connected-accounts.ts';
import { toApiPayoutAccount } from './to-api-billing-account.ts';
import { sendPayoutPage } from './send-payout-page.ts';
import type { Payout } from './payout.ts';
import { listAllPayouts } from './sql-list-payouts.ts';
import { toApiOperatorPayout, toApiPayoutAttempts } from './to-api-payout.ts';
import type { Account } from '../invoicing/sql-accounts.ts';
import type { FindPayoutAttempts } from './find-payout-attempts.ts';
import type { ListPayouts } from './list-payouts.ts';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';

export interface OperatorPayoutsUseCases {
  readonly findAccount: (accountId: string) => Promise<Account | undefined>;
  readonly listPayouts: ListPayouts;
  readonly findPayoutAttempts: FindPayoutAttempts;
  /** A connection with the role that may read every account. */
  readonly worker: Queryable;
  readonly processor: Pick<Processor, 'name'>;
  readonly nowMs: () => number;
}

const columns = Object.keys(operatorPayoutSchema.shape);

export function operatorPayoutsController({
  findAccount,
  listPayouts,
  findPayoutAttempts,
  worker,
  processor,
  nowMs,
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

    @Get('accounts/:account_id/payout-account')
    async account(@Res() response: Response, @Param('account_id') idText: string): Promise<void> {
      const builderId = parseParams(idSchema, idText);
      const account = await findAccount(builderId);
      if (account === undefined) throw new AppError('not_found', `There is no account \`${builderId}\`.`);
      const known = await findConnectedAccount(worker, { builderId, processor: processor.name });
      sendJson(response, 200, toApiPayoutAccount(builderId, known));
    }

    @Get('payouts')
    async listAll(@Req() request: Request, @Res() response: Response): Promise<void> {
      const query = parseQuery(operatorPayoutQuerySchema, request.url);
      const { account_id: builderId, status, period, failing_for_days: days, format, limit, cursor } = query;
      const failingSinceMs = days === undefined ? undefined : nowMs() - days * dayMs;
      const wanted = { builderId, status, period, failingSinceMs, limit, ...pagePosition('all_payouts', cursor) };
      const page = await listAllPayouts(worker, wanted);
      const body = toListPage('payouts', { list: 'all_payouts', ...page, limit, cursorOf, toApi: toApiOperatorPayout });
      const { payouts: rows, next_cursor: nextCursor } = body;
      sendTable(response, { format, body, rows, columns, name: 'payouts', nextCursor });
    }

    @Get('payouts/:payout_id/attempts')
    async attempts(@Res() response: Response, @Param('payout_id') idText: string): Promise<void> {
      sendJson(response, 200, toApiPayoutAttempts(await findPayoutAttempts(parseParams(idSchema, idText))));
    }
  }
  return OperatorPayoutsController;
}

function cursorOf({ createdAtMs, id }: Payout): readonly unknown[] {
  return [createdAtMs, id];
}
