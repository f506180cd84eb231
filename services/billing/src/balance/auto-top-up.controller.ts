import { Controller, Delete, Get, Put, Req, Res } from '@nestjs/common';
import { autoTopUpInputSchema } from '@tollgate/contracts/money/balance';
import type { Database } from '@tollgate/database/database';
import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import { formatUsd } from '@tollgate/kernel/money';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import { actorOf } from '@tollgate/runtime/audit/actor-of';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import { accountIdOf } from '@tollgate/runtime/http/requests/request-context';
import { sendEmpty, sendJson } from '@tollgate/runtime/http/answers/send-json';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';
import { readBody } from '@tollgate/runtime/nest/read-body';
import type { Request, Response } from 'express';
import type { AutoTopUp } from './auto-top-up.ts';
import { deleteAutoTopUp, findAutoTopUp, putAutoTopUp } from './sql-auto-top-up.ts';
import { toApiAutoTopUp } from './to-api-auto-top-up.ts';

export interface AutoTopUpDeps {
  readonly api: Database;
  readonly clock: Clock;
}

export function autoTopUpController({ api, clock }: AutoTopUpDeps): NestController {
  @Controller('v1/billing/auto-top-up')
  class AutoTopUpController {
    @Get()
    async find(@Req() request: Request, @Res() response: Response): Promise<void> {
      const setting = await find(accountIdOf(request));
      if (setting === undefined) throw new AppError('not_found', 'There is no automatic top-up.');
      sendJson(response, 200, toApiAutoTopUp(setting));
    }

    @Put()
    async put(@Req() request: Request, @Res() response: Response): Promise<void> {
      const accountId = accountIdOf(request);
      const { value } = await readBody(autoTopUpInputSchema)(request, response);
      const { below_usd: belowCents, amount_usd: amountCents, monthly_max_usd: monthlyMaxCents } = value;
      const detail = { amount_usd: usd(amountCents), monthly_max_usd: usd(monthlyMaxCents) };
      await api.transaction(
        async (tx) => {
          await putAutoTopUp(tx, { accountId, belowCents, amountCents, monthlyMaxCents, nowMs: clock.now() });
          const object = { kind: 'auto_top_up' };
          await recordAct(tx, actorOf(request), { action: 'auto_top_up.changed', accountId, object, detail });
        },
        { accountId },
      );
      const setting = await find(accountId);
      if (setting === undefined) throw new AppError('not_found', 'Another request removed it at the same time.');
      sendJson(response, 200, toApiAutoTopUp(setting));
    }

    @Delete()
    async remove(@Req() request: Request, @Res() response: Response): Promise<void> {
      const accountId = accountIdOf(request);
      await api.transaction(
        async (tx) => {
          if (!(await deleteAutoTopUp(tx, accountId))) return;
          const object = { kind: 'auto_top_up' };
          await recordAct(tx, actorOf(request), { action: 'auto_top_up.removed', accountId, object });
        },
        { accountId },
      );
      sendEmpty(response);
    }
  }

  function find(accountId: string): Promise<AutoTopUp | undefined> {
    return api.transaction((tx) => findAutoTopUp(tx, { accountId, nowMs: clock.now() }), { accountId });
  }
  return AutoTopUpController;
}

function usd(cents: bigint): string {
  return formatUsd(centsToMicros(cents));
}
