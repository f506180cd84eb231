import { Controller, Get, Req, Res } from '@nestjs/common';
import { usageQuerySchema } from '@tollgate/contracts/money/usage';
import { parseQuery } from '@tollgate/runtime/http/requests/parse';
import { accountIdOf } from '@tollgate/runtime/http/requests/request-context';
import { sendJsonText } from '@tollgate/runtime/http/answers/send-json';
import type { Request, Response } from 'express';
import { fromApiUsageQuery } from './from-api-usage-query.ts';
import { toUsageText } from './to-api-usage.ts';
import type { ReadUsage } from './read-usage.ts';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';

export interface UsageUseCases {
  readonly readUsage: ReadUsage;
  readonly nowMs: () => number;
}

export function usageController({ readUsage, nowMs }: UsageUseCases): NestController {
  @Controller('v1/usage')
  class UsageController {
    @Get()
    async read(@Req() request: Request, @Res() response: Response): Promise<void> {
      const apiQuery = parseQuery(usageQuerySchema, request.url);
      const query = fromApiUsageQuery(apiQuery, { accountId: accountIdOf(request), nowMs: nowMs() });
      sendJsonText(response, 200, await toUsageText(await readUsage(query), query.tags));
    }
  }
  return UsageController;
}
