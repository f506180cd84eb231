import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { topUpOrderSchema } from '@tollgate/contracts/money/balance';
import { idSchema } from '@tollgate/contracts/forms/id';
import { pageQuerySchema } from '@tollgate/contracts/forms/lists';
import { actorOf } from '@tollgate/runtime/audit/actor-of';
import { idempotencyKeyOf } from '@tollgate/runtime/http/idempotency/idempotency-key';
import { toListPage } from '@tollgate/runtime/http/lists/list-page';
import { pagePosition } from '@tollgate/runtime/http/lists/page-position';
import { parseParams, parseQuery } from '@tollgate/runtime/http/requests/parse';
import { accountIdOf } from '@tollgate/runtime/http/requests/request-context';
import { sendJson } from '@tollgate/runtime/http/answers/send-json';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';
import { readBody } from '@tollgate/runtime/nest/read-body';
import type { Request, Response } from 'express';
import type { FindTopUp, ListTopUps } from './find-top-ups.ts';
import type { OrderTopUp } from './order-top-up.ts';
import { toApiTopUp } from './to-api-top-up.ts';
import type { TopUp } from './top-up.ts';

export interface TopUpsUseCases {
  readonly orderTopUp: OrderTopUp;
  readonly findTopUp: FindTopUp;
  readonly listTopUps: ListTopUps;
}

export function topUpsController({ orderTopUp, findTopUp, listTopUps }: TopUpsUseCases): NestController {
  @Controller('v1/billing/top-ups')
  class TopUpsController {
    @Post()
    async order(@Req() request: Request, @Res() response: Response): Promise<void> {
      const accountId = accountIdOf(request);
      const idempotencyKey = idempotencyKeyOf(request);
      const { value } = await readBody(topUpOrderSchema)(request, response);
      const order = { accountId, amountCents: value.amount_usd, idempotencyKey, by: actorOf(request) };
      const { topUp, isReplayed } = await orderTopUp(order);
      if (isReplayed) response.setHeader('Idempotent-Replayed', 'true');
      sendJson(response, 201, toApiTopUp(topUp));
    }

    @Get()
    async list(@Req() request: Request, @Res() response: Response): Promise<void> {
      const { limit, cursor } = parseQuery(pageQuerySchema, request.url);
      const page = await listTopUps({ accountId: accountIdOf(request), limit, ...pagePosition('top_ups', cursor) });
      sendJson(response, 200, toListPage('top_ups', { ...page, limit, cursorOf, toApi: toApiTopUp }));
    }

    @Get(':id')
    async show(@Req() request: Request, @Res() response: Response, @Param('id') idText: string): Promise<void> {
      const topUp = await findTopUp({ id: parseParams(idSchema, idText), accountId: accountIdOf(request) });
      sendJson(response, 200, toApiTopUp(topUp));
    }
  }
  return TopUpsController;
}

function cursorOf({ createdAtMs, id }: TopUp): readonly unknown[] {
  return [createdAtMs, id];
}
