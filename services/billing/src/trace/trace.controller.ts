import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { accountIdOf } from '@tollgate/runtime/http/request-context';
import { sendJson } from '@tollgate/runtime/http/send-json';
import type { Request, Response } from 'express';
import { toApiTrace, viewerOf } from './to-api-trace.ts';
import { token, type UseCases } from '../edge/use-cases.ts';

@Controller('v1/events/:event_id/trace')
export class TraceController {
  constructor(@Inject(token('traceEvent')) private readonly traceEvent: UseCases['traceEvent']) {}

  @Get()
  async find(@Req() request: Request, @Res() response: Response, @Param('event_id') eventId: string): Promise<void> {
    const accountId = accountIdOf(request);
    const trace = await this.traceEvent({ eventId, accountId });
    sendJson(response, 200, toApiTrace(trace, viewerOf(trace, accountId)));
  }
}
