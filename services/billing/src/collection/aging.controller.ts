import { Controller, Get, Req, Res } from '@nestjs/common';
import { reportQuerySchema } from '@tollgate/contracts/operator/operator-lists';
import { agingBucketSchema } from '@tollgate/contracts/operator/reports';
import type { Queryable } from '@tollgate/database/database';
import { toIso } from '@tollgate/kernel/clock';
import { toUsdNumber } from '@tollgate/kernel/usd-number';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import { parseQuery } from '@tollgate/runtime/http/requests/parse';
import { sendTable } from '@tollgate/runtime/http/answers/send-table';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';
import type { Request, Response } from 'express';
import { sumByAge, type AgingBucket } from './sql-aging.ts';

export interface AgingUseCases {
  readonly worker: Queryable;
  readonly nowMs: () => number;
}

const columns = Object.keys(agingBucketSchema.shape);

export function agingController({ worker, nowMs }: AgingUseCases): NestController {
  @Controller('v1/operator/aging')
  class AgingController {
    @Get()
    async sum(@Req() request: Request, @Res() response: Response): Promise<void> {
      const { format } = parseQuery(reportQuerySchema, request.url);
      const asOfMs = nowMs();
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
