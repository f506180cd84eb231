import { Controller, Get, Inject, Param, Post, Res } from '@nestjs/common';
import { idSchema } from '@tollgate/contracts/id';
import { parseParams } from '@tollgate/runtime/http/parse';
import { sendJson } from '@tollgate/runtime/http/send-json';
import type { Response } from 'express';
import { toApiAttempts } from '../processor/to-api-attempts.ts';
import { toApiInvoice } from '../invoicing/to-api-invoice.ts';
import { token, type UseCases } from '../edge/use-cases.ts';

@Controller('v1/operator/invoices/:invoice_id')
export class CollectionController {
  constructor(
    @Inject(token('voidInvoice')) private readonly voidInvoice: UseCases['voidInvoice'],
    @Inject(token('findCharges')) private readonly findCharges: UseCases['findCharges'],
  ) {}

  @Post('void')
  async void(@Res() response: Response, @Param('invoice_id') asked: string): Promise<void> {
    sendJson(response, 200, toApiInvoice(await this.voidInvoice(parseParams(idSchema, asked))));
  }

  @Get('attempts')
  async attempts(@Res() response: Response, @Param('invoice_id') asked: string): Promise<void> {
    sendJson(response, 200, toApiAttempts(await this.findCharges(parseParams(idSchema, asked))));
  }
}
