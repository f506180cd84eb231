import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { idSchema } from '@tollgate/contracts/id';
import { reportQuerySchema } from '@tollgate/contracts/operator-lists';
import { strayMoneySchema } from '@tollgate/contracts/refunds';
import type { Queryable } from '@tollgate/database/database';
import { actorOf } from '@tollgate/runtime/audit/actor-of';
import { parseParams, parseQuery } from '@tollgate/runtime/http/requests/parse';
import { sendJson } from '@tollgate/runtime/http/answers/send-json';
import { sendTable } from '@tollgate/runtime/http/answers/send-table';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';
import type { Request, Response } from 'express';
import type { ReturnStrayMoney } from './return-stray-money.ts';
import { listStrayMoney } from './sql-stray-money.ts';
import { toApiRefund, toApiStrayMoney } from './to-api-refund.ts';

export interface StrayMoneyUseCases {
  readonly settling: Queryable;
  readonly returnStrayMoney: ReturnStrayMoney;
}

const columns = Object.keys(strayMoneySchema.shape);

export function strayMoneyController({ settling, returnStrayMoney }: StrayMoneyUseCases): NestController {
  @Controller('v1/operator/stray-money')
  class StrayMoneyController {
    @Get()
    async list(@Req() request: Request, @Res() response: Response): Promise<void> {
      const { format } = parseQuery(reportQuerySchema, request.url);
      const body = toApiStrayMoney(await listStrayMoney(settling));
      sendTable(response, { format, body, rows: body.stray_money, columns, name: 'stray-money' });
    }

    @Post(':attempt_id/refund')
    async giveBack(@Req() request: Request, @Res() response: Response, @Param('attempt_id') idText: string) {
      const attemptId = parseParams(idSchema, idText);
      sendJson(response, 201, toApiRefund(await returnStrayMoney({ attemptId, by: actorOf(request) })));
    }
  }
  return StrayMoneyController;
}
