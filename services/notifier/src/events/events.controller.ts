import { Controller, Get, Req, Res } from '@nestjs/common';
import { webhookEventCursorSchema, webhookEventQuerySchema } from '@tollgate/contracts/webhooks/webhook-events';
import type { Database } from '@tollgate/database/database';
import { sendJson } from '@tollgate/runtime/http/answers/send-json';
import { decodeCursor } from '@tollgate/runtime/http/lists/cursor';
import { toListPage } from '@tollgate/runtime/http/lists/list-page';
import { parseQuery } from '@tollgate/runtime/http/requests/parse';
import { accountIdOf } from '@tollgate/runtime/http/requests/request-context';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';
import type { Request, Response } from 'express';
import { listEvents, type StoredEvent } from './sql-event.ts';
import { toApiEvent } from './to-api-event.ts';

export function eventsController({ api }: { readonly api: Database }): NestController {
  @Controller('v1/webhook-events')
  class EventsController {
    @Get()
    async list(@Req() request: Request, @Res() response: Response): Promise<void> {
      const accountId = accountIdOf(request);
      const { limit, cursor, type, from: fromMs, to: toMs } = parseQuery(webhookEventQuerySchema, request.url);
      const query = { accountId, type, fromMs, toMs, beforePlace: fromCursor(cursor), rowsMax: limit + 1 };
      const page = await api.transaction((tx) => listEvents(tx, query), { accountId });
      sendJson(response, 200, toListPage('webhook_events', { ...page, limit, cursorOf, toApi: toApiEvent }));
    }
  }
  return EventsController;
}

function cursorOf({ place }: StoredEvent): readonly unknown[] {
  return [String(place)];
}

function fromCursor(cursor: string | undefined): bigint | undefined {
  if (cursor === undefined) return undefined;
  return BigInt(decodeCursor('webhook_events', cursor, webhookEventCursorSchema)[0]);
}
