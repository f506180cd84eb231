import { Controller, Get, Param, Req, Res, Delete, Post } from '@nestjs/common';
import { idSchema } from '@tollgate/contracts/forms/id';
import { payoutQuerySchema, statementQuerySchema, operatorPayoutSchema } from '@tollgate/contracts/money/payouts';
import { periodOf } from '@tollgate/kernel/period';
import { parseParams, parseQuery } from '@tollgate/runtime/http/requests/parse';
import { accountIdOf } from '@tollgate/runtime/http/requests/request-context';
import { sendJson, sendJsonText, sendEmpty } from '@tollgate/runtime/http/answers/send-json';
import type { Request, Response } from 'express';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';
import type { Clock } from '@tollgate/kernel/clock';
import { actorOf } from '@tollgate/runtime/audit/actor-of';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import { connectSchema } from '@tollgate/contracts/money/billing-account';
import { readBody } from '@tollgate/runtime/nest/read-body';
import type { ReplyOnce } from '@tollgate/runtime/nest/reply-once';
import type { OwnAddressOf } from '@tollgate/runtime/http/requests/own-address';
import { operatorPayoutQuerySchema } from '@tollgate/contracts/operator/operator-lists';
import { AppError } from '@tollgate/kernel/app-error';
import { dayMs } from '@tollgate/kernel/durations';
import { toListPage } from '@tollgate/runtime/http/lists/list-page';
import { pagePosition } from '@tollgate/runtime/http/lists/page-position';
import { sendTable } from '@tollgate/runtime/http/answers/send-table';
import {
  sendPayoutPage,
  toApiPayoutDetail,
  toStatementText,
  toApiBillingAccount,
  toApiPayoutAccount,
  toApiOperatorPayout,
  toApiPayoutAttempts,
} from './to-api-payout.ts';
import type { Payouts } from './payouts.ts';
import { toApiConnectLink } from '../processor/payment-method.controller.ts';
import type { PayoutAccounts } from '../processor/payout-accounts.ts';
import { findConnectedAccount } from '../processor/sql-connected-accounts.ts';
import type { Payout, PayoutReadingDeps } from './payout.ts';
import { listAllPayouts } from './sql-list-payouts.ts';
import { findAccount } from '../invoicing/sql-accounts.ts';

export function payoutsController(
  { listPayouts, findPayout, readStatement }: Payouts,
  clock: Pick<Clock, 'now'>,
): NestController {
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
      const { period = periodOf(clock.now()) } = parseQuery(statementQuerySchema, request.url);
      const statement = await readStatement({ builderId: accountIdOf(request), period });
      sendJsonText(response, 200, await toStatementText(statement));
    }
  }
  return PayoutsController;
}

export interface BillingAccountUseCases extends PayoutAccounts, Pick<Payouts, 'readBillingAccount'> {
  readonly replyOnce: ReplyOnce;
  readonly ownAddressOf: OwnAddressOf;
}

export function billingAccountController({
  replyOnce,
  ownAddressOf,
  readBillingAccount,
  connectPayoutAccount,
  createLoginLink,
  disconnectPayoutAccount,
}: BillingAccountUseCases): NestController {
  @Controller('v1/billing')
  class BillingAccountController {
    @Get('account')
    async read(@Req() request: Request, @Res() response: Response): Promise<void> {
      sendJson(response, 200, toApiBillingAccount(await readBillingAccount(accountIdOf(request))));
    }

    @Post('connect')
    async connect(@Req() request: Request, @Res() response: Response): Promise<void> {
      const accountId = accountIdOf(request);
      const ownAddress = ownAddressOf(request);
      await replyOnce({ request, response, readBody: readBody(connectSchema) }, async (tx, body) => {
        const link = await connectPayoutAccount({ accountId, returnUrl: body.return_url, country: body.country });
        const object = { kind: 'payout_account' };
        await recordAct(tx, actorOf(request), { action: 'payout_account.linked', accountId, object });
        return { status: 200, body: toApiConnectLink(link, ownAddress) };
      });
    }

    @Post('account/login-link')
    async logIn(@Req() request: Request, @Res() response: Response): Promise<void> {
      const ownAddress = ownAddressOf(request);
      const url = await createLoginLink({ accountId: accountIdOf(request), ownAddress });
      sendJson(response, 200, { login_url: new URL(url, ownAddress).href });
    }

    @Delete('connect')
    async end(@Req() request: Request, @Res() response: Response): Promise<void> {
      await disconnectPayoutAccount(accountIdOf(request), actorOf(request));
      sendEmpty(response);
    }
  }
  return BillingAccountController;
}

const columns = Object.keys(operatorPayoutSchema.shape);

export function operatorPayoutsController(
  { listPayouts, findPayoutAttempts }: Payouts,
  { worker, processor, clock }: PayoutReadingDeps,
): NestController {
  @Controller('v1/operator')
  class OperatorPayoutsController {
    @Get('accounts/:account_id/payouts')
    async list(@Req() request: Request, @Res() response: Response, @Param('account_id') idText: string): Promise<void> {
      const builderId = parseParams(idSchema, idText);
      const query = parseQuery(payoutQuerySchema, request.url);
      const account = await findAccount(worker, builderId);
      if (account === undefined) throw new AppError('not_found', `There is no account \`${builderId}\`.`);
      await sendPayoutPage(response, listPayouts, { ...query, builderId });
    }

    @Get('accounts/:account_id/payout-account')
    async account(@Res() response: Response, @Param('account_id') idText: string): Promise<void> {
      const builderId = parseParams(idSchema, idText);
      const account = await findAccount(worker, builderId);
      if (account === undefined) throw new AppError('not_found', `There is no account \`${builderId}\`.`);
      const known = await findConnectedAccount(worker, { builderId, processor: processor.name });
      sendJson(response, 200, toApiPayoutAccount(builderId, known));
    }

    @Get('payouts')
    async listAll(@Req() request: Request, @Res() response: Response): Promise<void> {
      const query = parseQuery(operatorPayoutQuerySchema, request.url);
      const { account_id: builderId, status, period, failing_for_days: days, format, limit, cursor } = query;
      const failingSinceMs = days === undefined ? undefined : clock.now() - days * dayMs;
      const wanted = { builderId, status, period, failingSinceMs, limit, ...pagePosition('all_payouts', cursor) };
      const page = await listAllPayouts(worker, wanted);
      const body = toListPage('payouts', {
        list: 'all_payouts',
        ...page,
        limit,
        cursorOf: cursorOfPayout,
        toApi: toApiOperatorPayout,
      });
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

function cursorOfPayout({ createdAtMs, id }: Payout): readonly unknown[] {
  return [createdAtMs, id];
}
