import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { idSchema } from '@tollgate/contracts/id';
import { accountQuerySchema } from '@tollgate/contracts/operator';
import type { Account as ApiAccount } from '@tollgate/contracts/accounts';
import { AppError } from '@tollgate/kernel/app-error';
import { toIso } from '@tollgate/kernel/clock';
import { toListPage } from '@tollgate/runtime/http/list-page';
import { parseParams, parseQuery } from '@tollgate/runtime/http/parse';
import { sendJson } from '@tollgate/runtime/http/send-json';
import type { Request, Response } from 'express';
import type { Account } from '../invoicing/account-directory.ts';
import { accountPosition, toAccountCursor } from '../edge/list-cursors.ts';
import { token, type UseCases } from '../edge/use-cases.ts';

@Controller('v1/operator/accounts')
export class AccountsController {
  constructor(@Inject(token('accounts')) private readonly accounts: UseCases['accounts']) {}

  @Get()
  async list(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { limit, cursor, email } = parseQuery(accountQuerySchema, request.url);
    const page = await this.accounts.list({ limit, email, ...accountPosition(cursor) });
    sendJson(response, 200, toListPage('accounts', { ...page, limit, cursorOf: toAccountCursor, toApi: toApiAccount }));
  }

  @Get(':account_id')
  async find(@Res() response: Response, @Param('account_id') asked: string): Promise<void> {
    const account = await this.accounts.find(parseParams(idSchema, asked));
    if (account === undefined) throw new AppError('not_found', 'There is no such account.');
    sendJson(response, 200, toApiAccount(account));
  }
}

function toApiAccount({ accountId, email, createdAtMs }: Account): ApiAccount {
  return { account_id: accountId, email, created_at: toIso(createdAtMs) };
}
