import { Controller, Get, Req, Res } from '@nestjs/common';
import { reconcileQuerySchema } from '@tollgate/contracts/operator/reconciliation';
import { parseQuery } from '@tollgate/runtime/http/requests/parse';
import { sendJson } from '@tollgate/runtime/http/answers/send-json';
import type { Request, Response } from 'express';
import { toApiReconciliation } from './to-api-reconciliation.ts';
import type { Reconcile } from './reconcile.ts';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';

export interface ReconcileUseCases {
  readonly reconcile: Reconcile;
}

export function reconcileController({ reconcile }: ReconcileUseCases): NestController {
  @Controller('v1/operator/reconcile')
  class ReconcileController {
    @Get()
    async compare(@Req() request: Request, @Res() response: Response): Promise<void> {
      const { period, account: accountId, keys } = parseQuery(reconcileQuerySchema, request.url);
      sendJson(response, 200, toApiReconciliation(await reconcile({ period, accountId, withAllKeys: keys === 'all' })));
    }
  }
  return ReconcileController;
}
