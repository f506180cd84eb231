import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RecordedEvent } from '@tollgate/contracts/events/event-answers';
import { eventBodyBytesMax, type EventInput } from '@tollgate/contracts/events/events';
import { parseEvent } from '@tollgate/contracts/events/parse-event';
import { ignoredFieldsHeader } from '@tollgate/runtime/http/requests/ignored-fields';
import { keyOfBodyOr } from '@tollgate/runtime/http/idempotency/idempotency-key';
import { invalidInput } from '@tollgate/runtime/http/requests/invalid-request';
import { refuseUnknownParameters } from '@tollgate/runtime/http/requests/parse';
import { readJsonBody } from '@tollgate/runtime/http/requests/read-json-body';
import { accountIdOf } from '@tollgate/runtime/http/requests/request-context';
import { sendJsonText } from '@tollgate/runtime/http/answers/send-json';
import type { PassOf } from '../passes/pass-of.ts';
import { noRoom, type Held } from './held.ts';
import { outcomesOf, type RecordEvents } from './record-events.ts';
import type { Pass } from '../passes/pass.ts';
import type { Outcome } from '../submissions/outcome.ts';
import { heldBytesOf } from './held-bytes.ts';
import { refuseConsumer } from './refuse-consumer.ts';
import type { CountOutcome } from './count-outcomes.ts';

export interface RecordEventHandlerDeps {
  readonly passOf: PassOf;
  readonly recordEvents: RecordEvents;
  readonly held: Pick<Held, 'hasRoomFor'>;
  readonly countOutcome: CountOutcome;
}

/** The header of an answer that repeats an earlier one. */
export const replayedHeader = { name: 'idempotent-replayed', value: 'true' } as const;

/** A request whose body was read. */
export interface ReadRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The pass that sends it. */
  readonly pass: Pass | undefined;
  /** The value of its JSON. */
  readonly body: unknown;
}

/** Goes on with a request whose body was read. */
export type RecordBody = (read: ReadRequest) => Promise<void>;

/** `POST /v1/events`, after authentication and rate limit: 201 once the event is durable. */
export function createRecordEventHandler(deps: RecordEventHandlerDeps) {
  const { passOf, recordEvents, countOutcome } = deps;

  async function handleRecordEvent(request: IncomingMessage, response: ServerResponse): Promise<void> {
    refuseWithoutRoom(deps, heldBytesOf(request, eventBodyBytesMax));
    const pass = passOf(request);
    const body = await readJsonBody(request, { maxBytes: eventBodyBytesMax });
    await recordBody({ request, response, pass, body });
  }

  async function recordBody({ request, response, pass, body }: ReadRequest): Promise<void> {
    refuseUnknownParameters(undefined, request.url ?? '');
    const parsed = parseEvent(body);
    if (!parsed.ok) throw invalidInput('body', parsed.errors);
    const consumerId = accountIdOf(request);
    const refusal = refuseConsumer(body, parsed.ignoredFields, consumerId);
    if (refusal !== undefined) throw refusal;
    for (const [name, value] of Object.entries(ignoredFieldsHeader(parsed.ignoredFields)))
      response.setHeader(name, value);
    const key = keyOfBodyOr(request, parsed.event.idempotency_key);
    const event = key === parsed.event.idempotency_key ? parsed.event : { ...parsed.event, idempotency_key: key };
    const bytes = heldBytesOf(request, eventBodyBytesMax);
    const [outcome] = await outcomesOf(recordEvents, { consumerId, pass, events: [event], bytes });
    if (outcome === undefined) throw new Error('an event without an outcome');
    countOutcome(outcome);
    const headers = outcome.kind === 'duplicate' ? { [replayedHeader.name]: replayedHeader.value } : undefined;
    sendJsonText(response, 201, recordedText(event, outcome), headers);
  }

  return { handleRecordEvent, recordBody };
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

/** The answer in JSON to an event that was recorded, now or before. Throws what became of it otherwise. */
export function recordedText(event: EventInput, outcome: Outcome): string {
  if (outcome.kind === 'rejected' || outcome.kind === 'unknown') throw outcome.error;
  const body: RecordedEvent = {
    event_id: outcome.eventId,
    tool_id: event.tool_id,
    status: 'recorded',
    timestamp: outcome.occurredAt,
  };
  return JSON.stringify(body);
}
