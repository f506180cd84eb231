import { Controller, Get, Param, Put, Req, Res } from '@nestjs/common';
import { creditLimitInputSchema } from '@tollgate/contracts/money/balance';
import { idSchema } from '@tollgate/contracts/forms/id';
import type { Database, Queryable } from '@tollgate/database/database';
import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import { formatUsd } from '@tollgate/kernel/money';
import { toUsdNumber } from '@tollgate/kernel/usd-number';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import { actorOf } from '@tollgate/runtime/audit/actor-of';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import { parseParams } from '@tollgate/runtime/http/requests/parse';
import { sendJson } from '@tollgate/runtime/http/answers/send-json';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';
import { readBody } from '@tollgate/runtime/nest/read-body';
import type { Request, Response } from 'express';
import { findAccount } from '../invoicing/sql-accounts.ts';
import { findCreditLimit, setCreditLimit } from './sql-credit-limit.ts';

export interface CreditLimitDeps {
  readonly database: Database;
  readonly clock: Clock;
}

export function creditLimitController({ database, clock }: CreditLimitDeps): NestController {
  @Controller('v1/operator/accounts/:account_id/credit-limit')
  class CreditLimitController {
    @Get()
    async find(@Res() response: Response, @Param('account_id') idText: string): Promise<void> {
      const accountId = parseParams(idSchema, idText);
      await requireAccount(database, accountId);
      sendJson(response, 200, toApi(accountId, await findCreditLimit(database, accountId)));
    }

    @Put()
    async set(@Req() request: Request, @Res() response: Response, @Param('account_id') idText: string): Promise<void> {
      const accountId = parseParams(idSchema, idText);
      const { value } = await readBody(creditLimitInputSchema)(request, response);
      const limitCents = value.credit_limit_usd;
      await database.transaction(async (tx) => {
        await requireAccount(tx, accountId);
        await setCreditLimit(tx, { accountId, limitCents, nowMs: clock.now() });
        const detail = { credit_limit_usd: limitCents === null ? 'none' : formatUsd(centsToMicros(limitCents)) };
        const object = { kind: 'account', id: accountId };
        await recordAct(tx, actorOf(request), { action: 'credit_limit.changed', accountId, object, detail });
      });
      sendJson(response, 200, toApi(accountId, limitCents));
    }
  }
  return CreditLimitController;
}

async function requireAccount(db: Queryable, accountId: string): Promise<void> {
  if ((await findAccount(db, accountId)) === undefined)
    throw new AppError('not_found', `There is no account \`${accountId}\`.`);
}

function toApi(accountId: string, limitCents: bigint | null) {
  const limit = limitCents === null ? null : toUsdNumber(centsToMicros(limitCents));
  return { account_id: accountId, credit_limit_usd: limit };
}
