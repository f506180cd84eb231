import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { reconcileQuerySchema } from '@tollgate/contracts/reconciliation';
import { parseQuery } from '@tollgate/runtime/http/parse';
import { sendJson } from '@tollgate/runtime/http/send-json';
import type { Request, Response } from 'express';
import { toApiReconciliation } from './to-api-reconciliation.ts';
import { token, type UseCases } from '../edge/use-cases.ts';

@Controller('v1/operator/reconcile')
export class ReconcileController {
  constructor(@Inject(token('reconcile')) private readonly reconcile: UseCases['reconcile']) {}

  @Get()
  async compare(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { period, account: accountId } = parseQuery(reconcileQuerySchema, request.url);
    sendJson(response, 200, toApiReconciliation(await this.reconcile({ period, accountId })));
  }
}
