import { Controller, Delete, Param, Post, Req, Res } from '@nestjs/common';
import { idSchema } from '@tollgate/contracts/forms/id';
import { suspendAccountSchema, type OperatorAccount } from '@tollgate/contracts/operator/operator';
import { toIso } from '@tollgate/kernel/clock';
import { actorOf } from '@tollgate/runtime/audit/actor-of';
import { parseParams } from '@tollgate/runtime/http/requests/parse';
import { sendJson } from '@tollgate/runtime/http/answers/send-json';
import { noBody, readBody } from '@tollgate/runtime/nest/read-body';
import type { Request, Response } from 'express';
import { bodyLimits } from '../accounts/body-limits.ts';
import { toApiAccountOfAny } from '../accounts/to-api-account.ts';
import type { CutOffAccount } from './cut-off-account.ts';
import type { SuspendableAccount } from './sql-suspension.ts';

const readSuspend = readBody(suspendAccountSchema, bodyLimits);

export function cutOffController(cutOff: CutOffAccount) {
  @Controller('v1/operator/accounts/:account_id')
  class CutOffController {
    @Post('suspend')
    async suspend(@Req() request: Request, @Res() response: Response, @Param('account_id') id: string): Promise<void> {
      const accountId = parseParams(idSchema, id);
      const { value } = await readSuspend(request, response);
      sendJson(
        response,
        200,
        toApiOperatorAccount(await cutOff.suspend({ accountId, reason: value.reason }, actorOf(request))),
      );
    }

    @Post('resume')
    async resume(@Req() request: Request, @Res() response: Response, @Param('account_id') id: string): Promise<void> {
      const accountId = parseParams(idSchema, id);
      await noBody(request);
      sendJson(response, 200, toApiOperatorAccount(await cutOff.resume(accountId, actorOf(request))));
    }

    @Delete('sessions')
    async endSessions(
      @Req() request: Request,
      @Res() response: Response,
      @Param('account_id') id: string,
    ): Promise<void> {
      sendJson(response, 200, { ended: await cutOff.endSessions(parseParams(idSchema, id), actorOf(request)) });
    }

    @Delete('api-keys')
    async revokeApiKeys(
      @Req() request: Request,
      @Res() response: Response,
      @Param('account_id') id: string,
    ): Promise<void> {
      sendJson(response, 200, { ended: await cutOff.revokeApiKeys(parseParams(idSchema, id), actorOf(request)) });
    }
  }
  return CutOffController;
}

function toApiOperatorAccount({ suspension, ...account }: SuspendableAccount): OperatorAccount {
  const shown = suspension && { reason: suspension.reason, suspended_at: toIso(suspension.suspendedAt) };
  return { ...toApiAccountOfAny(account), suspension: shown ?? null };
}
