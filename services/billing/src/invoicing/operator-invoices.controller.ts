import { Controller, Get, Req, Res } from '@nestjs/common';
import { invoiceSummarySchema } from '@tollgate/contracts/money/invoices';
import { operatorInvoiceQuerySchema } from '@tollgate/contracts/operator/operator-lists';
import type { Queryable } from '@tollgate/database/database';
import { toListPage } from '@tollgate/runtime/http/lists/list-page';
import { pagePosition } from '@tollgate/runtime/http/lists/page-position';
import { parseQuery } from '@tollgate/runtime/http/requests/parse';
import { sendTable } from '@tollgate/runtime/http/answers/send-table';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';
import type { Request, Response } from 'express';
import { listAllInvoices, type InvoiceSummary } from './sql-list-invoices.ts';
import { toApiInvoiceSummary } from './to-api-invoice.ts';

export interface OperatorInvoicesUseCases {
  /** A connection with the role that may read every account. */
  readonly worker: Queryable;
}

const columns = Object.keys(invoiceSummarySchema.shape);

export function operatorInvoicesController({ worker }: OperatorInvoicesUseCases): NestController {
  @Controller('v1/operator/invoices')
  class OperatorInvoicesController {
    @Get()
    async list(@Req() request: Request, @Res() response: Response): Promise<void> {
      const query = parseQuery(operatorInvoiceQuerySchema, request.url);
      const { account_id: consumerId, held, format, limit, cursor, ...wanted } = query;
      const isHeld = held === 'true';
      const page = await listAllInvoices(worker, {
        ...wanted,
        consumerId,
        isHeld,
        limit,
        ...pagePosition('all_invoices', cursor),
      });
      const body = toListPage('invoices', {
        list: 'all_invoices',
        ...page,
        limit,
        cursorOf,
        toApi: toApiInvoiceSummary,
      });
      const { invoices: rows, next_cursor: nextCursor } = body;
      sendTable(response, { format, body, rows, columns, name: 'invoices', nextCursor });
    }
  }
  return OperatorInvoicesController;
}

function cursorOf({ issuedAtMs, id }: InvoiceSummary): readonly unknown[] {
  return [issuedAtMs, id];
}
