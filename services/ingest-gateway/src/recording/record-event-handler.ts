import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RecordedEvent } from '@tollgate/contracts/event-answers';
import { eventBodyBytesMax, type EventInput } from '@tollgate/contracts/events';
import { parseEvent } from '@tollgate/contracts/parse-event';
import { ignoredFieldsHeader } from '@tollgate/runtime/http/ignored-fields';
import { invalidInput } from '@tollgate/runtime/http/invalid-request';
import { readJsonBody } from '@tollgate/runtime/http/read-json-body';
import { accountIdOf } from '@tollgate/runtime/http/request-context';
import { sendJson } from '@tollgate/runtime/http/send-json';
import { noRoom, type Held } from './held.ts';
import type { RecordEvents } from './record-events.ts';
import type { Outcome } from '../submissions/outcome.ts';
import { heldBytesOf } from './held-bytes.ts';
import type { CountOutcome } from './count-outcomes.ts';

export interface RecordEventHandlerDeps {
  readonly recordEvents: RecordEvents;
  readonly held: Pick<Held, 'hasRoomFor'>;
  readonly countOutcome: CountOutcome;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const replayed = { 'idempotent-replayed': 'true' };

/** `POST /v1/events`, after authentication and rate limit: 201 once the event is durable. */
export function createRecordEventHandler(deps: RecordEventHandlerDeps): Handler {
  const { recordEvents, countOutcome } = deps;
  return async function handleRecordEvent(request, response) {
    const bytes = heldBytesOf(request, eventBodyBytesMax);
    refuseWithoutRoom(deps, bytes);
    const parsed = parseEvent(await readJsonBody(request, { maxBytes: eventBodyBytesMax }));
    if (!parsed.ok) throw invalidInput('body', parsed.errors);
    for (const [name, value] of Object.entries(ignoredFieldsHeader(parsed.ignoredFields)))
      response.setHeader(name, value);
    const [outcome] = await recordEvents({ consumerId: accountIdOf(request), events: [parsed.event], bytes });
    if (outcome === undefined) throw new Error('an event without an outcome');
    countOutcome(outcome);
    answer(response, parsed.event, outcome);
  };
}

/**
 * Runs before the body is read: a refusal must cost little, or a flood of refusals brings the gateway down. A batch counts
 * as one event here, since the number of its events is not known yet.
 */
export function refuseWithoutRoom({ held, countOutcome }: RecordEventHandlerDeps, bytes: number): void {
  if (held.hasRoomFor(1, bytes)) return;
  countOutcome({ kind: 'unknown', error: noRoom });
  throw noRoom;
}

function answer(response: ServerResponse, event: EventInput, outcome: Outcome): void {
  if (outcome.kind === 'rejected' || outcome.kind === 'unknown') throw outcome.error;
  const body: RecordedEvent = {
    event_id: outcome.eventId,
    tool_id: event.tool_id,
    status: 'recorded',
    timestamp: outcome.occurredAt,
  };
  sendJson(response, 201, body, outcome.kind === 'duplicate' ? replayed : undefined);
}
