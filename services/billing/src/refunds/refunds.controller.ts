import { Controller, Get, Inject, Param, Post, Req, Res } from '@nestjs/common';
import { idSchema } from '@tollgate/contracts/id';
import { refundOrderSchema } from '@tollgate/contracts/refunds';
import { toIso } from '@tollgate/kernel/clock';
import { toUsdNumber } from '@tollgate/kernel/usd-number';
import { idempotencyKeyOf } from '@tollgate/runtime/http/idempotency-key';
import { parseParams } from '@tollgate/runtime/http/parse';
import { sendJson } from '@tollgate/runtime/http/send-json';
import type { Request, Response } from 'express';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import type { Refund } from './refund.ts';
import { readBody } from '@tollgate/runtime/nest/read-body';
import { token, type UseCases } from '../edge/use-cases.ts';

@Controller('v1/operator/invoices/:invoice_id/refunds')
export class RefundsController {
  constructor(
    @Inject(token('refundInvoice')) private readonly refundInvoice: UseCases['refundInvoice'],
    @Inject(token('findRefunds')) private readonly findRefunds: UseCases['findRefunds'],
  ) {}

  @Post()
  async refund(@Req() request: Request, @Res() response: Response, @Param('invoice_id') asked: string): Promise<void> {
    const invoiceId = parseParams(idSchema, asked);
    const idempotencyKey = idempotencyKeyOf(request);
    const { value } = await readBody(refundOrderSchema)(request, response);
    const ordered = await this.refundInvoice({ invoiceId, amountCents: value.amount_usd, idempotencyKey });
    if (ordered.isReplayed) response.setHeader('Idempotent-Replayed', 'true');
    sendJson(response, 201, toApiRefund(ordered.refund));
  }

  @Get()
  async list(@Res() response: Response, @Param('invoice_id') asked: string): Promise<void> {
    const refunds = await this.findRefunds(parseParams(idSchema, asked));
    sendJson(response, 200, { refunds: refunds.map(toApiRefund), total: refunds.length });
  }
}

function toApiRefund(refund: Refund) {
  const { id, invoiceId, amountCents, cause, status, failureCode, createdAtMs, succeededAtMs } = refund;
  return {
    id,
    invoice_id: invoiceId,
    amount_usd: toUsdNumber(centsToMicros(amountCents)),
    cause,
    status,
    failure_code: failureCode,
    created_at: toIso(createdAtMs),
    succeeded_at: succeededAtMs === null ? null : toIso(succeededAtMs),
  };
}
