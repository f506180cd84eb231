import { actorOf } from '@tollgate/runtime/audit/actor-of';
import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { idSchema } from '@tollgate/contracts/forms/id';
import { parseParams, parseQuery } from '@tollgate/runtime/http/requests/parse';
import { sendJson } from '@tollgate/runtime/http/answers/send-json';
import type { Request, Response } from 'express';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';
import { reportQuerySchema } from '@tollgate/contracts/forms/lists';
import { agingBucketSchema } from '@tollgate/contracts/operator/reports';
import { toIso } from '@tollgate/kernel/clock';
import { toUsdNumber } from '@tollgate/kernel/usd-number';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import { sendTable } from '@tollgate/runtime/http/answers/send-table';
import { toApiInvoice } from '../invoicing/to-api-invoice.ts';
import { sumByAge, type AgingBucket } from './sql-collectable-invoices.ts';
import type { Attempt } from '../processor/attempt.ts';
import type { Collection } from './collection.ts';
import type { CollectionDeps } from './pay-invoice.ts';

export function collectionController({ voidInvoice, confirmInvoice, findCharges }: Collection): NestController {
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

const columns = Object.keys(agingBucketSchema.shape);

export function agingController({ worker, clock }: Pick<CollectionDeps, 'worker' | 'clock'>): NestController {
  @Controller('v1/operator/aging')
  class AgingController {
    @Get()
    async sum(@Req() request: Request, @Res() response: Response): Promise<void> {
      const { format } = parseQuery(reportQuerySchema, request.url);
      const asOfMs = clock.now();
      const body = toApiAging(await sumByAge(worker, asOfMs), asOfMs);
      sendTable(response, { format, body, rows: body.buckets, columns, name: 'aging' });
    }
  }
  return AgingController;
}

function toApiAging(buckets: readonly AgingBucket[], asOfMs: number) {
  const usd = (cents: bigint) => toUsdNumber(centsToMicros(cents));
  return {
    as_of: toIso(asOfMs),
    currency: 'usd',
    buckets: buckets.map(({ age, invoices, owedCents }) => ({ age, invoices, owed_usd: usd(owedCents) })),
    invoices: buckets.reduce((sum, { invoices }) => sum + invoices, 0),
    owed_usd: usd(buckets.reduce((sum, { owedCents }) => sum + owedCents, 0n)),
  };
}

function toApiAttempts(attempts: readonly Attempt[]) {
  return { attempts: attempts.map(toApiAttempt), total: attempts.length };
}

function toApiAttempt({ id, number, amountCents, status, failureCode, objectId, startedAtMs }: Attempt) {
  return {
    id,
    number,
    amount_usd: toUsdNumber(centsToMicros(amountCents)),
    status,
    failure_code: failureCode,
    processor_object_id: objectId,
    started_at: toIso(startedAtMs),
  };
}
