import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { usageQuerySchema } from '@tollgate/contracts/usage';
import { parseQuery } from '@tollgate/runtime/http/parse';
import { accountIdOf } from '@tollgate/runtime/http/request-context';
import { sendJson } from '@tollgate/runtime/http/send-json';
import type { Request, Response } from 'express';
import { fromApiUsageQuery } from './from-api-usage-query.ts';
import { toApiUsage } from './to-api-usage.ts';
import { token, type UseCases } from '../edge/use-cases.ts';

@Controller('v1/usage')
export class UsageController {
  constructor(
    @Inject(token('readUsage')) private readonly readUsage: UseCases['readUsage'],
    @Inject(token('nowMs')) private readonly nowMs: UseCases['nowMs'],
  ) {}

  @Get()
  async read(@Req() request: Request, @Res() response: Response): Promise<void> {
    const asked = parseQuery(usageQuerySchema, request.url);
    const query = fromApiUsageQuery(asked, { accountId: accountIdOf(request), nowMs: this.nowMs() });
    sendJson(response, 200, toApiUsage(await this.readUsage(query)));
  }
}
