import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { idSchema } from '@tollgate/contracts/forms/id';
import { accountQuerySchema } from '@tollgate/contracts/operator/operator';
import { AppError } from '@tollgate/kernel/app-error';
import { toListPage } from '@tollgate/runtime/http/lists/list-page';
import { parseParams, parseQuery } from '@tollgate/runtime/http/requests/parse';
import { sendJson } from '@tollgate/runtime/http/answers/send-json';
import type { Request, Response } from 'express';
import { pagePosition } from '@tollgate/runtime/http/lists/page-position';
import type { Queryable } from '@tollgate/database/database';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';
import { findAccount, listAccounts, type Account } from '../invoicing/sql-accounts.ts';
import { toApiAccount } from './list-for-operator.ts';

export function accountsController(worker: Queryable): NestController {
  @Controller('v1/operator/accounts')
  class AccountsController {
    @Get()
    async list(@Req() request: Request, @Res() response: Response): Promise<void> {
      const { limit, cursor, email, status } = parseQuery(accountQuerySchema, request.url);
      const page = await listAccounts(worker, { limit, email, status, ...pagePosition('accounts', cursor) });
      sendJson(response, 200, toListPage('accounts', { ...page, limit, cursorOf, toApi: toApiAccount }));
    }

    @Get(':account_id')
    async find(@Res() response: Response, @Param('account_id') idText: string): Promise<void> {
      const accountId = parseParams(idSchema, idText);
      const account = await findAccount(worker, accountId);
      if (account === undefined) throw new AppError('not_found', `There is no account \`${accountId}\`.`);
      sendJson(response, 200, toApiAccount(account));
    }
  }
  return AccountsController;
}

function cursorOf({ createdAtMs, accountId }: Account): readonly unknown[] {
  return [createdAtMs, accountId];
}
