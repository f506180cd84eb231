import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { idSchema } from '@tollgate/contracts/id';
import { upcomingInvoiceQuerySchema } from '@tollgate/contracts/invoices';
import { pageQuerySchema } from '@tollgate/contracts/lists';
import { periodOf } from '@tollgate/kernel/period';
import { toListPage } from '@tollgate/runtime/http/list-page';
import { parseParams, parseQuery } from '@tollgate/runtime/http/parse';
import { accountIdOf } from '@tollgate/runtime/http/request-context';
import { sendJson } from '@tollgate/runtime/http/send-json';
import type { Request, Response } from 'express';
import { invoicePosition, toInvoiceCursor } from '../edge/list-cursors.ts';
import { sendPdf } from './send-pdf.ts';
import { toApiInvoice, toApiUpcomingInvoice } from './to-api-invoice.ts';
import { token, type UseCases } from '../edge/use-cases.ts';

@Controller('v1/billing/invoices')
export class InvoicesController {
  constructor(
    @Inject(token('listInvoices')) private readonly listInvoices: UseCases['listInvoices'],
    @Inject(token('findInvoice')) private readonly findInvoice: UseCases['findInvoice'],
    @Inject(token('findPrintedInvoice')) private readonly findPrinted: UseCases['findPrintedInvoice'],
    @Inject(token('renderInvoicePdf')) private readonly renderPdf: UseCases['renderInvoicePdf'],
    @Inject(token('previewInvoice')) private readonly previewInvoice: UseCases['previewInvoice'],
    @Inject(token('nowMs')) private readonly nowMs: UseCases['nowMs'],
  ) {}

  @Get()
  async list(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { limit, cursor } = parseQuery(pageQuerySchema, request.url);
    const query = { consumerId: accountIdOf(request), limit, ...invoicePosition(cursor) };
    const page = await this.listInvoices(query);
    sendJson(response, 200, toListPage('invoices', { ...page, limit, cursorOf: toInvoiceCursor, toApi: toApiInvoice }));
  }

  @Get('upcoming') // before the ids, or it would be taken for one
  async upcoming(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { period = periodOf(this.nowMs()) } = parseQuery(upcomingInvoiceQuerySchema, request.url);
    const upcoming = await this.previewInvoice({ consumerId: accountIdOf(request), period });
    sendJson(response, 200, toApiUpcomingInvoice(upcoming));
  }

  @Get(':id.pdf') // before the bare id, which would take the ending for a part of it
  async print(@Req() request: Request, @Res() response: Response, @Param('id') asked: string): Promise<void> {
    const id = parseParams(idSchema, asked);
    const printed = await this.findPrinted({ consumerId: accountIdOf(request), id });
    const bytes = await this.renderPdf(printed);
    sendPdf(response, { bytes, fileName: `tollgate-invoice-${printed.invoice.number}.pdf` });
  }

  @Get(':id')
  async find(@Req() request: Request, @Res() response: Response, @Param('id') asked: string): Promise<void> {
    const id = parseParams(idSchema, asked);
    sendJson(response, 200, toApiInvoice(await this.findInvoice({ consumerId: accountIdOf(request), id })));
  }
}
