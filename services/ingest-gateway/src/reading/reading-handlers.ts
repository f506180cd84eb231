import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BuilderEvent, ConsumerEvent } from '@tollgate/contracts/events/event-answers';
import { eventQuerySchema, type EventQuery } from '@tollgate/contracts/events/event-query';
import { pageQuerySchema } from '@tollgate/contracts/forms/lists';
import type { Database } from '@tollgate/database/database';
import { AppError } from '@tollgate/kernel/app-error';
import { toIso } from '@tollgate/kernel/clock';
import { isPlainName } from '@tollgate/kernel/text';
import { isUuid } from '@tollgate/kernel/uuid';
import { toListPage } from '@tollgate/runtime/http/lists/list-page';
import { parseQuery } from '@tollgate/runtime/http/requests/parse';
import { accountIdOf, paramsOf } from '@tollgate/runtime/http/requests/request-context';
import { sendJson } from '@tollgate/runtime/http/answers/send-json';
import type { EventIds } from '../submissions/event-ids.ts';
import type { MeasuresOf } from '../tools/measures-of.ts';
import type { CountedEvent, EventFilter, RefusedEvent } from './counted-event.ts';
import { fromEventCursor, fromRefusedCursor, toEventCursor, toRefusedCursor } from './event-cursors.ts';
import type { FindEvent } from './find-event.ts';
import { listEvents } from './sql-event.ts';
import { listRefusedEvents } from './sql-refused.ts';
import { readWatermark } from './sql-watermark.ts';
import { toBuilderEvent, toConsumerEvent } from './to-api-event.ts';

export interface ReadingDeps {
  readonly api: Database;
  readonly findEvent: FindEvent;
  readonly measuresOf: MeasuresOf;
  readonly eventIds: EventIds;
}

/** The three reading routes. The account of the credential alone decides whose rows they show. */
export function createReadingHandlers({ api, findEvent, measuresOf, eventIds }: ReadingDeps) {
  return {
    async listEvents(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const query = parseQuery(eventQuerySchema, request.url ?? '');
      const accountId = accountIdOf(request);
      const rows = await api.transaction((tx) => listEvents(tx, accountId, toFilter(query, accountId, eventIds)), {
        accountId,
      });
      const source = { rows, limit: query.limit, total: null, cursorOf: toEventCursor };
      const page = toListPage('events', { ...source, toApi: (row) => row });
      const events = await Promise.all(page.events.map((event) => toApiEvent(event, query.role)));
      sendJson(response, 200, { ...page, events });
    },

    async listRefusedEvents(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const { limit, cursor } = parseQuery(pageQuerySchema, request.url ?? '');
      const accountId = accountIdOf(request);
      const filter = { after: cursor === undefined ? undefined : fromRefusedCursor(cursor), rowsMax: limit + 1 };
      const rows = await api.transaction((tx) => listRefusedEvents(tx, accountId, filter), { accountId });
      const source = {
        list: 'refused_events',
        rows,
        limit,
        total: null,
        cursorOf: toRefusedCursor,
        toApi: toApiRefused,
      };
      sendJson(response, 200, toListPage('events', source));
    },

    async getEvent(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const accountId = accountIdOf(request);
      const eventId = paramsOf(request)['event_id'] ?? '';
      const find = async () => (isUuid(eventId) ? findEvent(accountId, eventId) : undefined);
      const event = (await find()) ?? (await findAfterWatermark(eventId, find));
      sendJson(response, 200, await toApiEvent(event, event.consumerId === accountId ? 'consumer' : 'builder'));
    },
  };

  /** Reads the watermark first: read after the search, it could have passed an event that was counted in between. */
  async function findAfterWatermark(
    eventId: string,
    find: () => Promise<CountedEvent | undefined>,
  ): Promise<CountedEvent> {
    const countedThroughMs = await readWatermark(api);
    const event = await find();
    if (event === undefined) throw notCounted(eventId, countedThroughMs);
    return event;
  }

  async function toApiEvent(event: CountedEvent, role: EventQuery['role']): Promise<ConsumerEvent | BuilderEvent> {
    return role === 'consumer' ? toConsumerEvent(event) : toBuilderEvent(event, await measuresOf(event));
  }
}

function toFilter(query: EventQuery, accountId: string, eventIds: EventIds): EventFilter {
  const { role, tool_id: toolId, pass_id: passId, from: fromMs, to: toMs, idempotency_key: key, cursor, limit } = query;
  return {
    role,
    toolId,
    passId,
    fromMs,
    toMs,
    eventId: key === undefined ? undefined : eventIds.of({ accountId, key }),
    after: cursor === undefined ? undefined : fromEventCursor(cursor),
    rowsMax: limit + 1,
  };
}

function toApiRefused({ eventId, toolId, receivedAtMs, code, detail }: RefusedEvent) {
  return { event_id: eventId, tool_id: toolId, received_at: toIso(receivedAtMs), code, detail };
}

/** An event received before `counted_through` that is not here will never be. A later event may still be counted. */
function notCounted(eventId: string, countedThroughMs: number): AppError {
  const which = isPlainName(eventId) ? ` \`${eventId}\`` : '';
  const message = `The event${which} is not counted. If it was received after counted_through, it may be soon.`;
  return new AppError('event_not_found', message, {
    members: { counted_through: toIso(countedThroughMs) },
  });
}
