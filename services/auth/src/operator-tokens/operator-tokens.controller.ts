import { Controller, Delete, Get, Param, Post, Req, Res } from '@nestjs/common';
import { pageQuerySchema } from '@tollgate/contracts/forms/lists';
import {
  createOperatorTokenSchema,
  operatorTokenNameSchema,
  operatorTokenPlaceSchema,
} from '@tollgate/contracts/operator/operator-tokens';
import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import type { Queryable } from '@tollgate/database/database';
import { actorOf } from '@tollgate/runtime/audit/actor-of';
import { toListPage } from '@tollgate/runtime/http/lists/list-page';
import { decodeCursor } from '@tollgate/runtime/http/lists/cursor';
import { parseParams, parseQuery } from '@tollgate/runtime/http/requests/parse';
import { sendEmpty, sendJson } from '@tollgate/runtime/http/answers/send-json';
import { readBody } from '@tollgate/runtime/nest/read-body';
import type { Request, Response } from 'express';
import { bodyLimits } from '../accounts/body-limits.ts';
import type { ChangeOperatorTokens } from './change-operator-tokens.ts';
import { listOperatorTokens } from './sql-operator-token.ts';
import { toApiOperatorToken } from './to-api-operator-token.ts';

interface UseCases {
  readonly worker: Queryable;
  readonly realTime: Pick<Clock, 'now'>;
  /** Whether the settings have OPERATOR_TOKEN. */
  readonly isConfigured: boolean;
  readonly change: ChangeOperatorTokens;
  readonly credentialsChanged: () => Promise<void>;
}

const readNew = readBody(createOperatorTokenSchema, bodyLimits);

export function operatorTokensController(useCases: UseCases) {
  const { worker, realTime, isConfigured, change, credentialsChanged } = useCases;

  @Controller('v1/operator/tokens')
  class OperatorTokensController {
    @Get()
    async list(@Req() request: Request, @Res() response: Response): Promise<void> {
      const { limit, cursor } = parseQuery(pageQuerySchema, request.url);
      const after =
        cursor === undefined ? undefined : decodeCursor('operator_tokens', cursor, operatorTokenPlaceSchema)[0];
      const { tokens, total } = await listOperatorTokens(worker, { isConfigured, after, limit: limit + 1 });
      const nowMs = realTime.now();
      const toApi = (each: (typeof tokens)[number]) => toApiOperatorToken(each, nowMs);
      const page = { rows: tokens, limit, total, cursorOf: ({ name }: { name: string }) => [name], toApi };
      sendJson(response, 200, toListPage('operator_tokens', page));
    }

    @Post()
    async create(@Req() request: Request, @Res() response: Response): Promise<void> {
      const { value } = await readNew(request, response);
      const wish = { name: value.name, expiresAt: value.expires_at };
      const { operatorToken, token } = await change.create(wish, actorOf(request));
      await credentialsChanged();
      sendJson(response, 201, { ...toApiOperatorToken(operatorToken, realTime.now()), token });
    }

    @Delete(':name')
    async revoke(@Req() request: Request, @Res() response: Response, @Param('name') asked: string): Promise<void> {
      const name = parseParams(operatorTokenNameSchema, asked);
      if (!(await change.revoke(name, actorOf(request))))
        throw new AppError('not_found', `No live operator token has the name \`${name}\`.`);
      await credentialsChanged();
      sendEmpty(response);
    }
  }
  return OperatorTokensController;
}
