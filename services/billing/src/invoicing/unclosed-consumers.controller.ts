import { Controller, Get, Req, Res } from '@nestjs/common';
import { pageQuerySchema } from '@tollgate/contracts/forms/lists';
import type { UnclosedConsumer as ApiUnclosedConsumer } from '@tollgate/contracts/operator/operator';
import type { Queryable } from '@tollgate/database/database';
import { toIso } from '@tollgate/kernel/clock';
import { toListPage } from '@tollgate/runtime/http/lists/list-page';
import { pagePosition } from '@tollgate/runtime/http/lists/page-position';
import { parseQuery } from '@tollgate/runtime/http/requests/parse';
import { sendJson } from '@tollgate/runtime/http/answers/send-json';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';
import type { Request, Response } from 'express';
import { listUnclosedConsumers, type UnclosedConsumer } from './sql-unclosed-consumers.ts';

export interface UnclosedConsumersUseCases {
  readonly worker: Queryable;
}

export function unclosedConsumersController({ worker }: UnclosedConsumersUseCases): NestController {
  @Controller('v1/operator/unclosed-consumers')
  class UnclosedConsumersController {
    @Get()
    async list(@Req() request: Request, @Res() response: Response): Promise<void> {
      const { limit, cursor } = parseQuery(pageQuerySchema, request.url);
      const page = await listUnclosedConsumers(worker, { limit, ...pagePosition('consumers', cursor) });
      sendJson(response, 200, toListPage('consumers', { ...page, limit, cursorOf, toApi }));
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

function cursorOf({ setAsideAtMs, consumerId }: UnclosedConsumer): readonly unknown[] {
  return [setAsideAtMs, consumerId];
}
