import { Controller, Get, Param, Req, Res, Put } from '@nestjs/common';
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
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';
import type { Clock } from '@tollgate/kernel/clock';
import { billingDetailsInputSchema, type BillingDetails } from '@tollgate/contracts/money/billing-details';
import type { Database } from '@tollgate/database/database';
import { AppError } from '@tollgate/kernel/app-error';
import { actorOf } from '@tollgate/runtime/audit/actor-of';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import { readBody } from '@tollgate/runtime/nest/read-body';
import { sendPdf } from './send-pdf.ts';
import { toApiInvoice, toApiLine, toApiUpcomingInvoice } from './to-api-invoice.ts';
import type { PdfPrinter } from './pdf/pdf-printer.ts';
import { toPrintableInvoice } from './pdf/printable-invoice.ts';
import type { Invoice } from './invoice.ts';
import type { PlacedLine } from './sql-invoice-lines.ts';
import { fromLineCursor, toLineCursor } from './line-cursor.ts';
import type { Invoices } from './invoices.ts';
import type { BuyerDetails } from './party.ts';
import { findBillingDetails, putBillingDetails } from './sql-invoice-parties.ts';

export function invoicesController(
  { listInvoices, findInvoice, findPrintedInvoice, listInvoiceLines, previewInvoice }: Invoices,
  printInvoice: PdfPrinter['print'],
  clock: Clock,
): NestController {
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
      const { period = periodOf(clock.now()) } = parseQuery(upcomingInvoiceQuerySchema, request.url);
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

export interface BillingDetailsDeps {
  readonly database: Database;
  readonly clock: Clock;
}

const read = readBody(billingDetailsInputSchema);

export function billingDetailsController({ database, clock }: BillingDetailsDeps): NestController {
  @Controller('v1/billing/details')
  class BillingDetailsController {
    @Get()
    async find(@Req() request: Request, @Res() response: Response): Promise<void> {
      const accountId = accountIdOf(request);
      const details = await database.transaction((tx) => findBillingDetails(tx, accountId), { accountId });
      if (details === undefined) throw new AppError('not_found', 'There are no billing details. PUT sets them.');
      sendJson(response, 200, toApiDetails(details));
    }

    @Put()
    async put(@Req() request: Request, @Res() response: Response): Promise<void> {
      const accountId = accountIdOf(request);
      const { tax_id: taxId = null, ...body } = (await read(request, response)).value;
      const details = { ...body, taxId };
      await database.transaction(
        async (tx) => {
          await putBillingDetails(tx, { accountId, details, nowMs: clock.now() });
          const object = { kind: 'billing_details' };
          await recordAct(tx, actorOf(request), { action: 'billing_details.changed', accountId, object });
        },
        { accountId },
      );
      sendJson(response, 200, toApiDetails(details));
    }
  }
  return BillingDetailsController;
}

function toApiDetails({ name, address, country, taxId }: BuyerDetails): BillingDetails {
  return { name, address: [...address], country, tax_id: taxId };
}
