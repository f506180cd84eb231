import { actorOf } from '@tollgate/runtime/audit/actor-of';
import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { idSchema } from '@tollgate/contracts/forms/id';
import { parseParams } from '@tollgate/runtime/http/requests/parse';
import { sendJson } from '@tollgate/runtime/http/answers/send-json';
import type { Request, Response } from 'express';
import { toApiAttempts } from '../processor/to-api-attempts.ts';
import { toApiInvoice } from '../invoicing/to-api-invoice.ts';
import type { ConfirmInvoice } from './confirm-invoice.ts';
import type { FindCharges } from './find-charges.ts';
import type { VoidInvoice } from './void-invoice.ts';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';

export interface CollectionUseCases {
  readonly voidInvoice: VoidInvoice;
  readonly confirmInvoice: ConfirmInvoice;
  readonly findCharges: FindCharges;
}

export function collectionController({ voidInvoice, confirmInvoice, findCharges }: CollectionUseCases): NestController {
  @Controller('v1/operator/invoices/:invoice_id')
  class CollectionController {
    @Post('void')
    async void(@Req() request: Request, @Res() response: Response, @Param('invoice_id') idText: string): Promise<void> {
      sendJson(response, 200, toApiInvoice(await voidInvoice(parseParams(idSchema, idText), actorOf(request))));
    }

    @Post('confirm')
    async confirm(
      @Req() request: Request,
      @Res() response: Response,
      @Param('invoice_id') idText: string,
    ): Promise<void> {
      sendJson(response, 200, toApiInvoice(await confirmInvoice(parseParams(idSchema, idText), actorOf(request))));
    }

    @Get('attempts')
    async attempts(@Res() response: Response, @Param('invoice_id') idText: string): Promise<void> {
      sendJson(response, 200, toApiAttempts(await findCharges(parseParams(idSchema, idText))));
    }
  }
  return CollectionController;
}
