import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { creditOrderSchema } from '@tollgate/contracts/money/balance';
import { idSchema } from '@tollgate/contracts/forms/id';
import { actorOf } from '@tollgate/runtime/audit/actor-of';
import { idempotencyKeyOf } from '@tollgate/runtime/http/idempotency/idempotency-key';
import { parseParams } from '@tollgate/runtime/http/requests/parse';
import { sendJson } from '@tollgate/runtime/http/answers/send-json';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';
import { readBody } from '@tollgate/runtime/nest/read-body';
import type { Request, Response } from 'express';
import type { FindCredits } from './find-credits.ts';
import type { GrantCredit } from './grant-credit.ts';
import { toApiCredit } from './to-api-credit.ts';

export interface CreditsUseCases {
  readonly grantCredit: GrantCredit;
  readonly findCredits: FindCredits;
}

export function creditsController({ grantCredit, findCredits }: CreditsUseCases): NestController {
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
