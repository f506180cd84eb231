import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { idSchema } from '@tollgate/contracts/forms/id';
import { invoiceQuerySchema, upcomingInvoiceQuerySchema } from '@tollgate/contracts/money/invoices';
import { pageQuerySchema } from '@tollgate/contracts/forms/lists';
import { periodOf } from '@tollgate/kernel/period';
import { toListPage } from '@tollgate/runtime/http/lists/list-page';
import { parseParams, parseQuery } from '@tollgate/runtime/http/requests/parse';
import { accountIdOf } from '@tollgate/runtime/http/requests/request-context';
import { sendJson } from '@tollgate/runtime/http/answers/send-json';
import type { Request, Response } from 'express';
import { pagePosition } from '@tollgate/runtime/http/lists/page-position';
import { sendPdf } from './send-pdf.ts';
import { toApiInvoice, toApiLine, toApiUpcomingInvoice } from './to-api-invoice.ts';
import type { FindInvoice } from './find-invoice.ts';
import type { FindPrintedInvoice } from './find-printed-invoice.ts';
import type { ListInvoices } from './list-invoices.ts';
import { fromLineCursor, toLineCursor } from './line-cursor.ts';
import type { ListInvoiceLines } from './list-invoice-lines.ts';
import type { PdfPrinter } from './pdf/pdf-printer.ts';
import { toPrintableInvoice } from './pdf/printable-invoice.ts';
import type { PreviewInvoice } from './preview-invoice.ts';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';
import type { Invoice } from './invoice.ts';
import type { PlacedLine } from './sql-invoice-lines.ts';

export interface InvoicesUseCases {
  readonly listInvoices: ListInvoices;
  readonly findInvoice: FindInvoice;
  readonly findPrintedInvoice: FindPrintedInvoice;
  readonly listInvoiceLines: ListInvoiceLines;
  readonly printInvoice: PdfPrinter['print'];
  readonly previewInvoice: PreviewInvoice;
  readonly nowMs: () => number;
}

export function invoicesController({
  listInvoices,
  findInvoice,
  findPrintedInvoice,
  listInvoiceLines,
  printInvoice,
  previewInvoice,
  nowMs,
}: InvoicesUseCases): NestController {
  @Controller('v1/billing/invoices')
  class InvoicesController {
    @Get()
    async list(@Req() request: Request, @Res() response: Response): Promise<void> {
      const { limit, cursor, status, period } = parseQuery(invoiceQuerySchema, request.url);
      const query = { consumerId: accountIdOf(request), status, period, limit, ...pagePosition('invoices', cursor) };
      const page = await listInvoices(query);
      sendJson(response, 200, toListPage('invoices', { ...page, limit, cursorOf, toApi: toApiInvoice }));
    }

    @Get('upcoming') // stands before `:id`, which would match it too
    async upcoming(@Req() request: Request, @Res() response: Response): Promise<void> {
      const { period = periodOf(nowMs()) } = parseQuery(upcomingInvoiceQuerySchema, request.url);
      const upcoming = await previewInvoice({ consumerId: accountIdOf(request), period });
      sendJson(response, 200, toApiUpcomingInvoice(upcoming));
    }

    @Get(':id.pdf') // stands before `:id`, which would match the ending too
    async print(@Req() request: Request, @Res() response: Response, @Param('id') idText: string): Promise<void> {
      const id = parseParams(idSchema, idText);
      const printed = await findPrintedInvoice({ consumerId: accountIdOf(request), id });
      const fileName = `tollgate-invoice-${printed.invoice.number}.pdf`;
      await sendPdf(response, { fileName, print: (hungUp) => printInvoice(toPrintableInvoice(printed), hungUp) });
    }

    @Get(':id/lines')
    async listLines(@Req() request: Request, @Res() response: Response, @Param('id') idText: string): Promise<void> {
      const id = parseParams(idSchema, idText);
      const { limit, cursor } = parseQuery(pageQuerySchema, request.url);
      const query = { consumerId: accountIdOf(request), id, limit, afterPlace: fromLineCursor(cursor) };
      const { period, ...page } = await listInvoiceLines(query);
      const toApi = ({ line }: PlacedLine) => toApiLine(line, period);
      sendJson(response, 200, toListPage('lines', { ...page, limit, cursorOf: toLineCursor, toApi }));
    }

    @Get(':id')
    async find(@Req() request: Request, @Res() response: Response, @Param('id') idText: string): Promise<void> {
      const id = parseParams(idSchema, idText);
      sendJson(response, 200, toApiInvoice(await findInvoice({ consumerId: accountIdOf(request), id })));
    }
  }
  return InvoicesController;
}

function cursorOf({ issuedAtMs, id }: Invoice): readonly unknown[] {
  return [issuedAtMs, id];
}
