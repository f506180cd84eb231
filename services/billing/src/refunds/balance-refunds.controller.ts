import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { balanceRefundOrderSchema } from '@tollgate/contracts/money/balance-refunds';
import { idSchema } from '@tollgate/contracts/forms/id';
import { pageQuerySchema } from '@tollgate/contracts/forms/lists';
import { actorOf } from '@tollgate/runtime/audit/actor-of';
import { idempotencyKeyOf } from '@tollgate/runtime/http/idempotency/idempotency-key';
import { toListPage } from '@tollgate/runtime/http/lists/list-page';
import { pagePosition } from '@tollgate/runtime/http/lists/page-position';
import { parseParams, parseQuery } from '@tollgate/runtime/http/requests/parse';
import { accountIdOf } from '@tollgate/runtime/http/requests/request-context';
import { sendJson } from '@tollgate/runtime/http/answers/send-json';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';
import { readBody } from '@tollgate/runtime/nest/read-body';
import type { Request, Response } from 'express';
import { toIso } from '@tollgate/kernel/clock';
import { toUsdNumber } from '@tollgate/kernel/usd-number';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import type { BalanceRefund, BalanceRefundPart, BalanceRefundStatus } from './refund.ts';
import type { Refunds } from './refunds.ts';

export function balanceRefundsController(refunds: Refunds): NestController {
  const { refundBalance, findBalanceRefund, listBalanceRefunds } = refunds;

  @Controller('v1/billing/balance/refunds')
  class BalanceRefundsController {
    @Post()
    async order(@Req() request: Request, @Res() response: Response): Promise<void> {
      const accountId = accountIdOf(request);
      const idempotencyKey = idempotencyKeyOf(request);
      const { value } = await readBody(balanceRefundOrderSchema)(request, response);
      const order = { accountId, amountCents: value.amount_usd, idempotencyKey, by: actorOf(request) };
      const { refund, isReplayed } = await refundBalance(order);
      if (isReplayed) response.setHeader('Idempotent-Replayed', 'true');
      sendJson(response, 201, toApiBalanceRefund(refund));
    }

    @Get()
    async list(@Req() request: Request, @Res() response: Response): Promise<void> {
      await sendPage(listBalanceRefunds, accountIdOf(request), { request, response });
    }

    @Get(':id')
    async show(@Req() request: Request, @Res() response: Response, @Param('id') idText: string): Promise<void> {
      const refund = await findBalanceRefund({ id: parseParams(idSchema, idText), accountId: accountIdOf(request) });
      sendJson(response, 200, toApiBalanceRefund(refund));
    }
  }
  return BalanceRefundsController;
}

export function balanceRefundsOfAccountController({ listBalanceRefundsOfAccount }: Refunds): NestController {
  @Controller('v1/operator/accounts/:account_id/balance-refunds')
  class BalanceRefundsOfAccountController {
    @Get()
    async list(@Req() request: Request, @Res() response: Response, @Param('account_id') idText: string): Promise<void> {
      await sendPage(listBalanceRefundsOfAccount, parseParams(idSchema, idText), { request, response });
    }
  }
  return BalanceRefundsOfAccountController;
}

interface Exchange {
  readonly request: Request;
  readonly response: Response;
}

async function sendPage(
  listRefunds: Refunds['listBalanceRefunds'],
  accountId: string,
  { request, response }: Exchange,
) {
  const { limit, cursor } = parseQuery(pageQuerySchema, request.url);
  const page = await listRefunds({ accountId, limit, ...pagePosition('refunds', cursor) });
  sendJson(response, 200, toListPage('refunds', { ...page, limit, cursorOf, toApi: toApiBalanceRefund }));
}

function cursorOf({ createdAtMs, id }: BalanceRefund): readonly unknown[] {
  return [createdAtMs, id];
}

function toApiBalanceRefund({ id, accountId, amountCents, parts, createdAtMs }: BalanceRefund) {
  const gone = parts.filter(({ status }) => status === 'succeeded');
  return {
    id,
    account_id: accountId,
    currency: 'usd',
    amount_usd: usd(amountCents),
    refunded_usd: usd(gone.reduce((sum, part) => sum + part.amountCents, 0n)),
    status: statusOf(parts),
    parts: parts.map(({ topUpId, amountCents: cents, status, failureCode }) => {
      return { top_up_id: topUpId, amount_usd: usd(cents), status, failure_code: failureCode };
    }),
    created_at: toIso(createdAtMs),
  };
}

function statusOf(parts: readonly BalanceRefundPart[]): BalanceRefundStatus {
  return (['pending', 'failed'] as const).find((status) => parts.some((part) => part.status === status)) ?? 'succeeded';
}

function usd(cents: bigint) {
  return toUsdNumber(centsToMicros(cents));
}
