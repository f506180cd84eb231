import { Controller, Get, Req, Res } from '@nestjs/common';
import { pageQuerySchema } from '@tollgate/contracts/forms/lists';
import type { Queryable } from '@tollgate/database/database';
import { toIso } from '@tollgate/kernel/clock';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import { toUsdNumber } from '@tollgate/kernel/usd-number';
import { sendJson } from '@tollgate/runtime/http/answers/send-json';
import { toListPage } from '@tollgate/runtime/http/lists/list-page';
import { pagePosition } from '@tollgate/runtime/http/lists/page-position';
import { parseQuery } from '@tollgate/runtime/http/requests/parse';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';
import type { Request, Response } from 'express';
import { listUnknownOutcomes, type UnknownOutcome } from './sql-unknown-outcomes.ts';

export function unknownOutcomesController(worker: Queryable): NestController {
  @Controller('v1/operator/unknown-outcomes')
  class UnknownOutcomesController {
    @Get()
    async list(@Req() request: Request, @Res() response: Response): Promise<void> {
      const { limit, cursor } = parseQuery(pageQuerySchema, request.url);
      const list = 'unknown_outcomes';
      const page = await listUnknownOutcomes(worker, { limit, ...pagePosition(list, cursor) });
      sendJson(response, 200, toListPage('orders', { list, ...page, limit, cursorOf, toApi }));
    }
  }
  return UnknownOutcomesController;
}

function cursorOf({ startedAtMs, id }: UnknownOutcome): readonly unknown[] {
  return [startedAtMs, id];
}

function toApi(order: UnknownOutcome) {
  return {
    attempt_id: order.id,
    kind: order.kind,
    account_id: order.accountId,
    invoice_id: order.invoiceId,
    payout_id: order.payoutId,
    amount_usd: toUsdNumber(centsToMicros(order.amountCents)),
    processor: order.processor,
    started_at: toIso(order.startedAtMs),
    look_at: order.lookAtMs === undefined ? null : toIso(order.lookAtMs),
  };
}
