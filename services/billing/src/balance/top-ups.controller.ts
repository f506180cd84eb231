import { Controller, Get, Param, Post, Req, Res, Delete, Put } from '@nestjs/common';
import { topUpOrderSchema, autoTopUpInputSchema } from '@tollgate/contracts/money/balance';
import { idSchema } from '@tollgate/contracts/forms/id';
import { pageQuerySchema } from '@tollgate/contracts/forms/lists';
import { actorOf } from '@tollgate/runtime/audit/actor-of';
import { idempotencyKeyOf } from '@tollgate/runtime/http/idempotency/idempotency-key';
import { toListPage } from '@tollgate/runtime/http/lists/list-page';
import { pagePosition } from '@tollgate/runtime/http/lists/page-position';
import { parseParams, parseQuery } from '@tollgate/runtime/http/requests/parse';
import { accountIdOf } from '@tollgate/runtime/http/requests/request-context';
import { sendJson, sendEmpty } from '@tollgate/runtime/http/answers/send-json';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';
import { readBody } from '@tollgate/runtime/nest/read-body';
import type { Request, Response } from 'express';
import { toIso } from '@tollgate/kernel/clock';
import { toUsdNumber } from '@tollgate/kernel/usd-number';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import { AppError } from '@tollgate/kernel/app-error';
import { formatUsd } from '@tollgate/kernel/money';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import type { TopUp, AutoTopUp, BalanceDeps } from './credit.ts';
import type { Balances } from './balance.ts';
import { deleteAutoTopUp, findAutoTopUp, putAutoTopUp } from './sql-auto-top-up.ts';

export function topUpsController({ orderTopUp, findTopUp, listTopUps }: Balances): NestController {
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

function toApiTopUp({ id, amountCents, status, failureCode, isAutomatic, createdAtMs, succeededAtMs }: TopUp) {
  return {
    id,
    currency: 'usd',
    amount_usd: toUsdNumber(centsToMicros(amountCents)),
    status,
    failure_code: failureCode,
    is_automatic: isAutomatic,
    created_at: toIso(createdAtMs),
    succeeded_at: succeededAtMs === null ? null : toIso(succeededAtMs),
  };
}

export function autoTopUpController({ api, clock }: Pick<BalanceDeps, 'api' | 'clock'>): NestController {
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

export function toApiAutoTopUp({ failureCode, retryAtMs, ...setting }: AutoTopUp) {
  const usd = (cents: bigint) => toUsdNumber(centsToMicros(cents));
  return {
    below_usd: usd(setting.belowCents),
    amount_usd: usd(setting.amountCents),
    monthly_max_usd: usd(setting.monthlyMaxCents),
    month_usd: usd(setting.orderedCents),
    failure_code: failureCode,
    retry_at: retryAtMs === null ? null : toIso(retryAtMs),
  };
}
