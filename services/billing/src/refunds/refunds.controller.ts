import { actorOf } from '@tollgate/runtime/audit/actor-of';
import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { idSchema } from '@tollgate/contracts/id';
import { refundOrderSchema, type RefundOrder } from '@tollgate/contracts/refunds';
import { idempotencyKeyOf } from '@tollgate/runtime/http/idempotency/idempotency-key';
import { parseParams } from '@tollgate/runtime/http/requests/parse';
import { sendJson } from '@tollgate/runtime/http/answers/send-json';
import type { Request, Response } from 'express';
import type { RefundPart } from './refund.ts';
import { toApiRefund } from './to-api-refund.ts';
import { readBody } from '@tollgate/runtime/nest/read-body';
import type { FindRefunds } from './find-refunds.ts';
import type { RefundInvoice } from './refund-invoice.ts';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';

export interface RefundsUseCases {
  readonly refundInvoice: RefundInvoice;
  readonly findRefunds: FindRefunds;
}

export function refundsController({ refundInvoice, findRefunds }: RefundsUseCases): NestController {
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
