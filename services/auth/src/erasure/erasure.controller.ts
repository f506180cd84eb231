import { Controller, Delete, Get, Req, Res } from '@nestjs/common';
import { pageQuerySchema } from '@tollgate/contracts/forms/lists';
import { secondFactorProofSchema } from '@tollgate/contracts/accounts/second-factor';
import type { Database } from '@tollgate/database/database';
import type { Clock } from '@tollgate/kernel/clock';
import { actorOf } from '@tollgate/runtime/audit/actor-of';
import { sendJson } from '@tollgate/runtime/http/answers/send-json';
import { toListPage } from '@tollgate/runtime/http/lists/list-page';
import { pagePosition } from '@tollgate/runtime/http/lists/page-position';
import { parseQuery } from '@tollgate/runtime/http/requests/parse';
import { clientAddressOf } from '@tollgate/runtime/http/requests/request-context';
import { readBody } from '@tollgate/runtime/nest/read-body';
import type { Request, Response } from 'express';
import { bodyLimits } from '../accounts/body-limits.ts';
import type { SignInThrottle } from '../accounts/memory-sign-in-throttle.ts';
import { sessionOf } from '../sessions/session-of.ts';
import type { CloseAccount } from './close-account.ts';
import { findErasure, listErasures, lookAtErasure, type Erasure } from './sql-erasure.ts';
import { toApiClosure } from './to-api-closure.ts';

interface UseCases {
  readonly worker: Database;
  readonly clock: Pick<Clock, 'now'>;
  readonly throttle: SignInThrottle;
  readonly closeAccount: CloseAccount;
  readonly booksKeptYears: number;
}

const readProof = readBody(secondFactorProofSchema, bodyLimits);

export function erasureController({ worker, clock, throttle, closeAccount, booksKeptYears }: UseCases) {
  const toApi = (erasure: Erasure) => toApiClosure(erasure, booksKeptYears);

  @Controller('v1')
  class ErasureController {
    @Delete('auth/account')
    async close(@Req() request: Request, @Res() response: Response): Promise<void> {
      const session = sessionOf(request);
      await throttle.admitPasswordTry({ account: session.accountId, address: clientAddressOf(request) });
      const { value } = await readProof(request, response);
      const { password, totp_code: totpCode, recovery_code: recoveryCode } = value;
      await closeAccount({ ...session, password, totpCode, recoveryCode }, actorOf(request));
      await lookAtErasure(worker, session.accountId, clock.now());
      sendJson(response, 200, toApi(await findErasure(worker, session.accountId)));
    }

    @Get('operator/erasures')
    async list(@Req() request: Request, @Res() response: Response): Promise<void> {
      const { limit, cursor } = parseQuery(pageQuerySchema, request.url);
      const page = await listErasures(worker, { limit, ...pagePosition('erasures', cursor) });
      sendJson(response, 200, toListPage('erasures', { ...page, limit, cursorOf, toApi }));
    }
  }
  return ErasureController;
}

function cursorOf({ closedAtMs, accountId }: Erasure): readonly unknown[] {
  return [closedAtMs, accountId];
}
