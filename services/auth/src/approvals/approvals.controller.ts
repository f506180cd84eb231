import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { idSchema } from '@tollgate/contracts/forms/id';
import { pageQuerySchema } from '@tollgate/contracts/forms/lists';
import type { Database } from '@tollgate/database/database';
import type { Clock } from '@tollgate/kernel/clock';
import { actorOf } from '@tollgate/runtime/audit/actor-of';
import { sendJson } from '@tollgate/runtime/http/answers/send-json';
import { toListPage } from '@tollgate/runtime/http/lists/list-page';
import { pagePosition } from '@tollgate/runtime/http/lists/page-position';
import type { OwnAddressOf } from '@tollgate/runtime/http/requests/own-address';
import { parseParams, parseQuery } from '@tollgate/runtime/http/requests/parse';
import { accountIdOf } from '@tollgate/runtime/http/requests/request-context';
import type { Request, Response } from 'express';
import { sessionOf } from '../sessions/session-of.ts';
import type { AnswerApproval, AnswerToGive } from './answer-approval.ts';
import { countApprovals, listApprovals, type Approval } from './sql-approval.ts';
import { toApiApproval } from './to-api-approval.ts';

interface UseCases {
  readonly api: Database;
  readonly clock: Pick<Clock, 'now'>;
  readonly answerApproval: AnswerApproval;
  readonly ownAddressOf: OwnAddressOf;
}

export function approvalsController({ api, clock, answerApproval, ownAddressOf }: UseCases) {
  @Controller('v1/approvals')
  class ApprovalsController {
    @Get()
    async list(@Req() request: Request, @Res() response: Response): Promise<void> {
      const { limit, cursor } = parseQuery(pageQuerySchema, request.url);
      const query = { ...pagePosition('approvals', cursor), limit: limit + 1, nowMs: clock.now() };
      const page = await api.transaction(
        async (tx) => ({ rows: await listApprovals(tx, query), total: await countApprovals(tx, query.nowMs) }),
        { accountId: accountIdOf(request) },
      );
      const toApi = (approval: Approval) => toApiApproval(approval, ownAddressOf(request));
      sendJson(response, 200, toListPage('approvals', { ...page, limit, cursorOf, toApi }));
    }

    @Post(':id/approve')
    approve(@Req() request: Request, @Res() response: Response, @Param('id') asked: string): Promise<void> {
      return answer(request, response, { asked, state: 'approved' });
    }

    @Post(':id/refuse')
    refuse(@Req() request: Request, @Res() response: Response, @Param('id') asked: string): Promise<void> {
      return answer(request, response, { asked, state: 'refused' });
    }
  }
  return ApprovalsController;

  async function answer(
    request: Request,
    response: Response,
    { asked, state }: Pick<AnswerToGive, 'state'> & { readonly asked: string },
  ): Promise<void> {
    const given = { approvalId: parseParams(idSchema, asked), ...sessionOf(request), state };
    const approval = await answerApproval(given, actorOf(request));
    sendJson(response, 200, toApiApproval(approval, ownAddressOf(request)));
  }
}

function cursorOf({ createdAt, approvalId }: Approval): readonly unknown[] {
  return [createdAt, approvalId];
}
