import { actorOf } from '@tollgate/runtime/audit/actor-of';
import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { idSchema } from '@tollgate/contracts/forms/id';
import { refundOrderSchema, type RefundOrder, strayMoneySchema } from '@tollgate/contracts/money/refunds';
import { idempotencyKeyOf } from '@tollgate/runtime/http/idempotency/idempotency-key';
import { parseParams, parseQuery } from '@tollgate/runtime/http/requests/parse';
import { sendJson } from '@tollgate/runtime/http/answers/send-json';
import type { Request, Response } from 'express';
import { readBody } from '@tollgate/runtime/nest/read-body';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';
import { reportQuerySchema } from '@tollgate/contracts/forms/lists';
import { sendTable } from '@tollgate/runtime/http/answers/send-table';
import { toIso } from '@tollgate/kernel/clock';
import { toUsdNumber } from '@tollgate/kernel/usd-number';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import { type RefundPart, toDbPart, type Refund, type StrayMoney } from './refund.ts';
import type { Refunds } from './refunds.ts';

export function refundsController({ refundInvoice, findRefunds }: Refunds): NestController {
  @Controller('v1/operator/invoices/:invoice_id/refunds')
  class RefundsController {
    @Post()
    async refund(
      @Req() request: Request,
      @Res() response: Response,
      @Param('invoice_id') idText: string,
    ): Promise<void> {
      const invoiceId = parseParams(idSchema, idText);
      const idempotencyKey = idempotencyKeyOf(request);
      const { value } = await readBody(refundOrderSchema)(request, response);
      const ordered = await refundInvoice({
        invoiceId,
        amountCents: value.amount_usd,
        part: toPart(value),
        idempotencyKey,
        by: actorOf(request),
      });
      if (ordered.isReplayed) response.setHeader('Idempotent-Replayed', 'true');
      sendJson(response, 201, toApiRefund(ordered.refund));
    }

    @Get()
    async list(@Res() response: Response, @Param('invoice_id') idText: string): Promise<void> {
      const refunds = await findRefunds(parseParams(idSchema, idText));
      sendJson(response, 200, { refunds: refunds.map(toApiRefund), total: refunds.length });
    }
  }
  return RefundsController;
}

function toPart({ builder_id: builderId, lines }: RefundOrder): RefundPart | null {
  if (builderId === undefined && lines === undefined) return null;
  const names = lines?.map(({ tool_id: toolId, price_id: priceId, charge }) => {
    return { toolId, priceId: priceId ?? null, chargeIndex: charge ?? null };
  });
  return { builderId: builderId ?? null, lines: names ?? null };
}

const columns = Object.keys(strayMoneySchema.shape);

export function strayMoneyController({ listStrayMoney, returnStrayMoney }: Refunds): NestController {
  @Controller('v1/operator/stray-money')
  class StrayMoneyController {
    @Get()
    async list(@Req() request: Request, @Res() response: Response): Promise<void> {
      const { format } = parseQuery(reportQuerySchema, request.url);
      const body = toApiStrayMoney(await listStrayMoney());
      sendTable(response, { format, body, rows: body.stray_money, columns, name: 'stray-money' });
    }

    @Post(':attempt_id/refund')
    async giveBack(@Req() request: Request, @Res() response: Response, @Param('attempt_id') idText: string) {
      const attemptId = parseParams(idSchema, idText);
      sendJson(response, 201, toApiRefund(await returnStrayMoney({ attemptId, by: actorOf(request) })));
    }
  }
  return StrayMoneyController;
}

function toApiRefund(refund: Refund) {
  const { id, invoiceId, amountCents, balanceCents, cause, status, failureCode, createdAtMs, succeededAtMs } = refund;
  return {
    id,
    order_id: refund.orderId ?? id,
    invoice_id: invoiceId,
    amount_usd: toUsdNumber(centsToMicros(amountCents)),
    balance_usd: toUsdNumber(centsToMicros(balanceCents)),
    cause,
    status,
    failure_code: failureCode,
    part: refund.part && toDbPart(refund.part), // the API has the names of the database
    is_of_stray_money: refund.strayAttemptId !== null,
    created_at: toIso(createdAtMs),
    succeeded_at: succeededAtMs === null ? null : toIso(succeededAtMs),
  };
}

function toApiStrayMoney(stray: readonly StrayMoney[]) {
  const usd = (cents: bigint) => toUsdNumber(centsToMicros(cents));
  return {
    stray_money: stray.map(({ attemptId, kind, invoiceId, consumerId, amountCents, leftCents, sinceMs }) => ({
      attempt_id: attemptId,
      kind,
      invoice_id: invoiceId,
      account_id: consumerId,
      amount_usd: usd(amountCents),
      left_usd: usd(leftCents),
      since: toIso(sinceMs),
    })),
    total: stray.length,
    left_usd: usd(stray.reduce((sum, { leftCents }) => sum + leftCents, 0n)),
  };
}
