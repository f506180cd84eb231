import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { accountIdOf } from '@tollgate/runtime/http/requests/request-context';
import { sendJson } from '@tollgate/runtime/http/answers/send-json';
import type { Request, Response } from 'express';
import { toApiTrace, viewerOf } from './to-api-trace.ts';
import type { TraceEvent } from './trace-event.ts';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';

export function traceController(traceEvent: TraceEvent): NestController {
  @Controller('v1/events/:event_id/trace')
  class TraceController {
    @Get()
    async find(@Req() request: Request, @Res() response: Response, @Param('event_id') eventId: string): Promise<void> {
      const accountId = accountIdOf(request);
      const trace = await traceEvent({ eventId, accountId });
      sendJson(response, 200, toApiTrace(trace, viewerOf(trace, accountId)));
    }
  }
  return TraceController;
}
