import { Controller, Get, Req, Res, Put, Param, Post } from '@nestjs/common';
import { toUsdNumber } from '@tollgate/kernel/usd-number';
import { accountIdOf } from '@tollgate/runtime/http/requests/request-context';
import { sendJson } from '@tollgate/runtime/http/answers/send-json';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';
import type { Request, Response } from 'express';
import { balanceAlertsInputSchema, creditOrderSchema, creditLimitInputSchema } from '@tollgate/contracts/money/balance';
import { toIso } from '@tollgate/kernel/clock';
import { formatUsd } from '@tollgate/kernel/money';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import { actorOf } from '@tollgate/runtime/audit/actor-of';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import { readBody } from '@tollgate/runtime/nest/read-body';
import { idSchema } from '@tollgate/contracts/forms/id';
import { idempotencyKeyOf } from '@tollgate/runtime/http/idempotency/idempotency-key';
import { parseParams } from '@tollgate/runtime/http/requests/parse';
import type { Queryable } from '@tollgate/database/database';
import { AppError } from '@tollgate/kernel/app-error';
import type { SpendableBound } from './plan-spendable.ts';
import { toApiAutoTopUp } from './top-ups.controller.ts';
import { listThresholds, putThresholds, findCreditLimit, setCreditLimit } from './sql-balance-threshold.ts';
import type { Credit, BalanceDeps } from './credit.ts';
import type { Balances } from './balance.ts';
import { findAccount } from '../invoicing/sql-accounts.ts';

export function balanceController({ findBalance }: Balances): NestController {
  @Controller('v1/billing/balance')
  class BalanceController {
    @Get()
    async find(@Req() request: Request, @Res() response: Response): Promise<void> {
      const { balanceMicros, heldMicros, availableMicros, bound, ...found } = await findBalance(accountIdOf(request));
      sendJson(response, 200, {
        currency: 'usd',
        balance_usd: toUsdNumber(balanceMicros),
        held_usd: toUsdNumber(heldMicros),
        ...toApiBound(bound),
        available_usd: toUsdNumber(availableMicros),
        auto_top_up: found.autoTopUp === undefined ? null : toApiAutoTopUp(found.autoTopUp),
        alerts_below_usd: toApiThresholds(found.thresholdsCents),
        credits: found.credits.map(toApiOwnCredit),
      });
    }
  }
  return BalanceController;
}

function toApiBound(bound: SpendableBound | undefined) {
  if (bound === undefined) return { owed_usd: null, unbilled_usd: null, credit_limit_usd: null };
  return {
    owed_usd: toUsdNumber(bound.owedMicros),
    unbilled_usd: toUsdNumber(bound.unbilledMicros),
    credit_limit_usd: toUsdNumber(bound.creditLimitMicros),
  };
}

export function balanceAlertsController({ api, clock }: Pick<BalanceDeps, 'api' | 'clock'>): NestController {
  @Controller('v1/billing/balance/alerts')
  class BalanceAlertsController {
    @Put()
    async put(@Req() request: Request, @Res() response: Response): Promise<void> {
      const accountId = accountIdOf(request);
      const { value } = await readBody(balanceAlertsInputSchema)(request, response);
      const { below_usd: belowCents } = value;
      const detail = { below_usd: belowCents.map((cents) => formatUsd(centsToMicros(cents))).join(' ') || 'none' };
      const thresholds = await api.transaction(
        async (tx) => {
          await putThresholds(tx, { accountId, belowCents, nowMs: clock.now() });
          const object = { kind: 'balance_alerts' };
          await recordAct(tx, actorOf(request), { action: 'balance_alerts.changed', accountId, object, detail });
          return listThresholds(tx, accountId);
        },
        { accountId },
      );
      sendJson(response, 200, { below_usd: toApiThresholds(thresholds) });
    }
  }
  return BalanceAlertsController;
}

export function creditsController({ grantCredit, findCredits }: Balances): NestController {
  @Controller('v1/operator/accounts/:account_id/credits')
  class CreditsController {
    @Post()
    async grant(
      @Req() request: Request,
      @Res() response: Response,
      @Param('account_id') idText: string,
    ): Promise<void> {
      const accountId = parseParams(idSchema, idText);
      const idempotencyKey = idempotencyKeyOf(request);
      const { value } = await readBody(creditOrderSchema)(request, response);
      const { amount_usd: amountCents, reason, effective_from: effectiveFromMs, expires_at: expiresAt } = value;
      const expiresAtMs = expiresAt ?? null;
      const by = actorOf(request);
      const times = { effectiveFromMs, expiresAtMs };
      const granted = await grantCredit({ accountId, amountCents, reason, ...times, idempotencyKey, by });
      if (granted.isReplayed) response.setHeader('Idempotent-Replayed', 'true');
      sendJson(response, 201, toApiCredit(granted.credit));
    }

    @Get()
    async list(@Res() response: Response, @Param('account_id') idText: string): Promise<void> {
      const credits = await findCredits(parseParams(idSchema, idText));
      sendJson(response, 200, { credits: credits.map(toApiCredit), total: credits.length });
    }
  }
  return CreditsController;
}

function toApiCredit(credit: Credit) {
  return { ...toApiOwnCredit(credit), account_id: credit.accountId, reason: credit.reason };
}

/** A credit as its consumer sees it: the reason is the operator's. */
function toApiOwnCredit({ id, topUpId, amountCents, leftCents, effectiveFromMs, endsAtMs, createdAtMs }: Credit) {
  return {
    id,
    amount_usd: toUsdNumber(centsToMicros(amountCents)),
    left_usd: toUsdNumber(centsToMicros(leftCents)),
    effective_from: topUpId === null ? toIso(effectiveFromMs) : null,
    expires_at: endsAtMs === null ? null : toIso(endsAtMs),
    top_up_id: topUpId,
    created_at: toIso(createdAtMs),
  };
}

function toApiThresholds(cents: readonly bigint[]) {
  return cents.map((one) => toUsdNumber(centsToMicros(one)));
}

export function creditLimitController({ database, clock }: Pick<BalanceDeps, 'database' | 'clock'>): NestController {
  @Controller('v1/operator/accounts/:account_id/credit-limit')
  class CreditLimitController {
    @Get()
    async find(@Res() response: Response, @Param('account_id') idText: string): Promise<void> {
      const accountId = parseParams(idSchema, idText);
      await requireAccount(database, accountId);
      sendJson(response, 200, toApiLimit(accountId, await findCreditLimit(database, accountId)));
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
      sendJson(response, 200, toApiLimit(accountId, limitCents));
    }
  }
  return CreditLimitController;
}

async function requireAccount(db: Queryable, accountId: string): Promise<void> {
  if ((await findAccount(db, accountId)) === undefined)
    throw new AppError('not_found', `There is no account \`${accountId}\`.`);
}

function toApiLimit(accountId: string, limitCents: bigint | null) {
  const limit = limitCents === null ? null : toUsdNumber(centsToMicros(limitCents));
  return { account_id: accountId, credit_limit_usd: limit };
}
