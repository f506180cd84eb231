import { Controller, Delete, Get, Param, Req, Res } from '@nestjs/common';
import { idSchema } from '@tollgate/contracts/forms/id';
import { pageQuerySchema } from '@tollgate/contracts/forms/lists';
import type { Database } from '@tollgate/database/database';
import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import { actorOf } from '@tollgate/runtime/audit/actor-of';
import { sendEmpty, sendJson } from '@tollgate/runtime/http/answers/send-json';
import { toListPage } from '@tollgate/runtime/http/lists/list-page';
import { pagePosition } from '@tollgate/runtime/http/lists/page-position';
import { parseParams, parseQuery } from '@tollgate/runtime/http/requests/parse';
import { accountIdOf } from '@tollgate/runtime/http/requests/request-context';
import type { Request, Response } from 'express';
import type { EndConsent } from './end-consent.ts';
import { countOwnConsents, hasOwnConsent, listOwnConsents, type OwnConsent } from './sql-own-consent.ts';
import { toApiConsent } from './to-api-consent.ts';

interface UseCases {
  /** Connects as auth_api, under the row-level policies of the account. */
  readonly api: Database;
  readonly clock: Pick<Clock, 'now'>;
  readonly endConsent: EndConsent;
}

/** The consents of an account, for the account itself. */
export function consentsController({ api, clock, endConsent }: UseCases) {
  @Controller('v1/auth/consents')
  class ConsentsController {
    @Get()
    async list(@Req() request: Request, @Res() response: Response): Promise<void> {
      const { limit, cursor } = parseQuery(pageQuerySchema, request.url);
      const query = { ...pagePosition('consents', cursor), limit: limit + 1, nowMs: clock.now() };
      const page = await api.transaction(
        async (tx) => ({ rows: await listOwnConsents(tx, query), total: await countOwnConsents(tx, query.nowMs) }),
        { accountId: accountIdOf(request) },
      );
      sendJson(response, 200, toListPage('consents', { ...page, limit, cursorOf, toApi: toApiConsent }));
    }

    @Delete(':id')
    async revoke(@Req() request: Request, @Res() response: Response, @Param('id') asked: string): Promise<void> {
      const grantId = parseParams(idSchema, asked);
      const isOwn = await api.transaction((tx) => hasOwnConsent(tx, grantId, clock.now()), {
        accountId: accountIdOf(request),
      });
      if (!isOwn || !(await endConsent(grantId, actorOf(request))))
        throw new AppError('not_found', `You have no live consent \`${grantId}\`.`);
      sendEmpty(response);
    }
  }
  return ConsentsController;
}

function cursorOf({ createdAt, grantId }: OwnConsent): readonly unknown[] {
  return [createdAt, grantId];
}
