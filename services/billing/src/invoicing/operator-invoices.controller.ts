import { Controller, Get, Req, Res, Param } from '@nestjs/common';
import { invoiceSummarySchema } from '@tollgate/contracts/money/invoices';
import { operatorInvoiceQuerySchema } from '@tollgate/contracts/operator/operator-lists';
import type { Queryable } from '@tollgate/database/database';
import { toListPage } from '@tollgate/runtime/http/lists/list-page';
import { pagePosition } from '@tollgate/runtime/http/lists/page-position';
import { parseQuery, parseParams } from '@tollgate/runtime/http/requests/parse';
import { sendTable } from '@tollgate/runtime/http/answers/send-table';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';
import type { Request, Response } from 'express';
import { pageQuerySchema } from '@tollgate/contracts/forms/lists';
import type {
  UnclosedConsumer as ApiUnclosedConsumer,
  PeriodStatus as ApiPeriodStatus,
} from '@tollgate/contracts/operator/operator';
import { toIso } from '@tollgate/kernel/clock';
import { sendJson } from '@tollgate/runtime/http/answers/send-json';
import { periodSchema } from '@tollgate/contracts/forms/period';
import { listAllInvoices, type InvoiceSummary } from './sql-list-invoices.ts';
import { toApiInvoiceSummary } from './to-api-invoice.ts';
import { listUnclosedConsumers, type UnclosedConsumer } from './sql-unclosed-consumers.ts';
import { periodStatus, type PeriodStatus } from './period-status.ts';

const columns = Object.keys(invoiceSummarySchema.shape);

export function operatorInvoicesController(worker: Queryable): NestController {
  @Controller('v1/operator/invoices')
  class OperatorInvoicesController {
    @Get()
    async list(@Req() request: Request, @Res() response: Response): Promise<void> {
      const query = parseQuery(operatorInvoiceQuerySchema, request.url);
      const { account_id: consumerId, invoice_id: invoiceId, held, format, limit, cursor, ...wanted } = query;
      const isHeld = held === 'true';
      const page = await listAllInvoices(worker, {
        ...wanted,
        consumerId,
        invoiceId,
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

export function unclosedConsumersController(worker: Queryable): NestController {
  @Controller('v1/operator/unclosed-consumers')
  class UnclosedConsumersController {
    @Get()
    async list(@Req() request: Request, @Res() response: Response): Promise<void> {
      const { limit, cursor } = parseQuery(pageQuerySchema, request.url);
      const page = await listUnclosedConsumers(worker, { limit, ...pagePosition('consumers', cursor) });
      sendJson(response, 200, toListPage('consumers', { ...page, limit, cursorOf: cursorOfConsumer, toApi }));
    }
  }
  return UnclosedConsumersController;
}

function toApi(consumer: UnclosedConsumer): ApiUnclosedConsumer {
  return {
    account_id: consumer.consumerId,
    period: consumer.period,
    reason: consumer.reason,
    failures: consumer.failures,
    set_aside_at: toIso(consumer.setAsideAtMs),
    retry_at: toIso(consumer.retryAtMs),
  };
}

function cursorOfConsumer({ setAsideAtMs, consumerId }: UnclosedConsumer): readonly unknown[] {
  return [setAsideAtMs, consumerId];
}

export function periodsController(readWatermark: () => Promise<number>): NestController {
  @Controller('v1/operator/periods')
  class PeriodsController {
    @Get(':period')
    async status(@Res() response: Response, @Param('period') periodText: string): Promise<void> {
      const period = parseParams(periodSchema, periodText);
      sendJson(response, 200, toApiPeriodStatus(periodStatus(period, await readWatermark())));
    }
  }
  return PeriodsController;
}

function toApiPeriodStatus(status: PeriodStatus): ApiPeriodStatus {
  return {
    period: status.period,
    starts_at: toIso(status.startMs),
    ends_at: toIso(status.endMs),
    counted_through: toIso(status.countedThroughMs),
    final_through: toIso(status.finalThroughMs),
    closable_at: toIso(status.closableAtMs),
    closable: status.isClosable,
  };
}
