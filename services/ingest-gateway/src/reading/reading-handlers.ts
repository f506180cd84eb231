import type { IncomingMessage, ServerResponse } from 'node:http';
import { eventQuerySchema, type EventQuery } from '@tollgate/contracts/event-query';
import type { BuilderEvent, ConsumerEvent } from '@tollgate/contracts/event-answers';
import { pageQuerySchema } from '@tollgate/contracts/lists';
import { AppError } from '@tollgate/kernel/app-error';
import { toIso } from '@tollgate/kernel/clock';
import { keyedEventId } from '@tollgate/kernel/event-id';
import { isUuid } from '@tollgate/kernel/uuid';
import { toListPage } from '@tollgate/runtime/http/list-page';
import { parseQuery } from '@tollgate/runtime/http/parse';
import { accountIdOf, paramsOf } from '@tollgate/runtime/http/request-context';
import { sendJson } from '@tollgate/runtime/http/send-json';
import type { CountedEvent, CountedEvents, EventFilter, RefusedEvent } from '../ports.ts';
import { fromEventCursor, fromRefusedCursor, toEventCursor, toRefusedCursor } from './event-cursors.ts';
import { toBuilderEvent, toConsumerEvent } from './to-api-event.ts';

export interface ReadingDeps {
  readonly events: CountedEvents;
  readonly measuresOf: (event: CountedEvent) => Promise<readonly string[]>;
}

/** What the three reading routes answer. Whose rows they show is decided by the account of the credential alone. */
export function createReadingHandlers({ events, measuresOf }: ReadingDeps) {
  return { listEvents, listRefusedEvents, getEvent };

  async function listEvents(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const query = parseQuery(eventQuerySchema, request.url ?? '');
    const accountId = accountIdOf(request);
    const rows = await events.list(accountId, toFilter(query, accountId));
    const page = toListPage('events', {
      rows,
      limit: query.limit,
      total: null,
      cursorOf: toEventCursor,
      toApi: (row) => row,
    });
    const shown = page.events.map((event) => toApiEvent(event, query.role));
    sendJson(response, 200, { ...page, events: await Promise.all(shown) });
  }

  async function listRefusedEvents(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { limit, cursor } = parseQuery(pageQuerySchema, request.url ?? '');
    const after = cursor === undefined ? undefined : fromRefusedCursor(cursor);
    const rows = await events.listRefused(accountIdOf(request), { after, rowsMax: limit + 1 });
    sendJson(
      response,
      200,
      toListPage('events', { rows, limit, total: null, cursorOf: toRefusedCursor, toApi: toApiRefused }),
    );
  }

  async function getEvent(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const accountId = accountIdOf(request);
    const eventId = paramsOf(request)['event_id'] ?? '';
    const find = async () => (isUuid(eventId) ? events.find(accountId, eventId) : undefined);
    const event = (await find()) ?? (await findOrTellHowFar(find));
    sendJson(response, 200, await toApiEvent(event, event.consumerId === accountId ? 'consumer' : 'builder'));
  }

  /** The watermark first: read after the look, it could have passed an event that was counted in between. */
  async function findOrTellHowFar(find: () => Promise<CountedEvent | undefined>): Promise<CountedEvent> {
    const countedThroughMs = await events.countedThroughMs();
    const event = await find();
    if (event === undefined) throw notCounted(countedThroughMs);
    return event;
  }

  async function toApiEvent(event: CountedEvent, role: EventQuery['role']): Promise<ConsumerEvent | BuilderEvent> {
    return role === 'consumer' ? toConsumerEvent(event) : toBuilderEvent(event, await measuresOf(event));
  }
}

function toFilter(query: EventQuery, accountId: string): EventFilter {
  const { role, tool_id: toolId, from: fromMs, to: toMs, idempotency_key: key, cursor, limit } = query;
  return {
    role,
    toolId,
    fromMs,
    toMs,
    eventId: key === undefined ? undefined : keyedEventId(accountId, key),
    after: cursor === undefined ? undefined : fromEventCursor(cursor),
    rowsMax: limit + 1,
  };
}

function toApiRefused({ eventId, toolId, receivedAtMs, code, detail }: RefusedEvent) {
  return { event_id: eventId, tool_id: toolId, received_at: toIso(receivedAtMs), code, detail };
}

/** Received before `counted_through` and not here: never. Received after it: perhaps not yet. */
function notCounted(countedThroughMs: number): AppError {
  const message = 'No such event is counted. If it was received after counted_through, it may be soon.';
  return new AppError('event_not_found', message, {
    members: { counted_through: toIso(countedThroughMs) },
  });
}
