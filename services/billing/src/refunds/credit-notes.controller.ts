import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { creditNoteCursorSchema, creditNoteQuerySchema } from '@tollgate/contracts/money/credit-notes';
import { idSchema } from '@tollgate/contracts/forms/id';
import { toIso } from '@tollgate/kernel/clock';
import { toUsdNumber } from '@tollgate/kernel/usd-number';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import { decodeCursor } from '@tollgate/runtime/http/lists/cursor';
import { toListPage } from '@tollgate/runtime/http/lists/list-page';
import { parseParams, parseQuery } from '@tollgate/runtime/http/requests/parse';
import { accountIdOf } from '@tollgate/runtime/http/requests/request-context';
import { sendJson } from '@tollgate/runtime/http/answers/send-json';
import { toJsonInteger } from '@tollgate/runtime/http/answers/to-json-integer';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';
import type { Request, Response } from 'express';
import type { PdfPrinter } from '../invoicing/pdf/pdf-printer.ts';
import { sendPdf } from '../invoicing/send-pdf.ts';
import type { CreditNote } from './refund.ts';
import type { Refunds, WholeCreditNote } from './refunds.ts';
import { toPrintableNote } from './to-printable-note.ts';

export function creditNotesController(
  { listCreditNotes, findCreditNote }: Refunds,
  printPdf: PdfPrinter['print'],
): NestController {
  @Controller('v1/billing/credit-notes')
  class CreditNotesController {
    @Get()
    async list(@Req() request: Request, @Res() response: Response): Promise<void> {
      const { limit, cursor, invoice_id: invoiceId } = parseQuery(creditNoteQuerySchema, request.url);
      const query = { consumerId: accountIdOf(request), invoiceId, limit, beforeNumber: fromCursor(cursor) };
      const page = await listCreditNotes(query);
      sendJson(response, 200, toListPage('credit_notes', { ...page, limit, cursorOf, toApi: toApiNote }));
    }

    @Get(':id.pdf') // stands before `:id`, which would match the ending too
    async print(@Req() request: Request, @Res() response: Response, @Param('id') idText: string): Promise<void> {
      const whole = await find(request, idText);
      const fileName = `tollgate-credit-note-${whole.note.number}.pdf`;
      await sendPdf(response, { fileName, print: (hungUp) => printPdf(toPrintableNote(whole), hungUp) });
    }

    @Get(':id')
    async show(@Req() request: Request, @Res() response: Response, @Param('id') idText: string): Promise<void> {
      const { note, tools } = await find(request, idText);
      const lines = tools.map(({ toolId, chargeMicros }) => ({
        tool_id: toolId,
        amount_usd: toUsdNumber(chargeMicros),
      }));
      sendJson(response, 200, { ...toApiNote(note), lines });
    }
  }

  async function find(request: Request, idText: string): Promise<WholeCreditNote> {
    return findCreditNote({ consumerId: accountIdOf(request), id: parseParams(idSchema, idText) });
  }
  return CreditNotesController;
}

function toApiNote(note: CreditNote) {
  const { id, number, invoiceId, invoiceNumber, period, amountCents, cause, issuedAtMs } = note;
  return {
    id,
    number: toJsonInteger(number),
    invoice_id: invoiceId,
    invoice_number: toJsonInteger(invoiceNumber),
    period,
    currency: 'usd',
    amount_usd: toUsdNumber(centsToMicros(amountCents)),
    cause,
    issued_at: toIso(issuedAtMs),
  };
}

function cursorOf({ number }: CreditNote): readonly unknown[] {
  return [String(number)];
}

function fromCursor(cursor: string | undefined): bigint | undefined {
  return cursor === undefined ? undefined : BigInt(decodeCursor('credit_notes', cursor, creditNoteCursorSchema)[0]);
}
