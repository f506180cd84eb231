/**
 * The way of almost every `POST /v1/events`, from its bytes to its answer: one event, plainly written, by an API key that memory
 * knows. Up to the log it passes no promise, no timer and no listener.
 *
 *   takeEvent ──▶ admit ──▶ record ──▶ keys.claim … the append ──▶ onOutcomes ──▶ answer
 *       │            └─────────┴───────────────────────────────────────┴──▶ handOver
 *       └──▶ false: not a request for the line; nothing was done
 *
 * Whatever else comes goes the way of all other requests, through the front: as a whole, or by `handOver` from where the line
 * found out. A property test holds both ways to the same answers and records.
 */
import { context, type Context } from '@opentelemetry/api';
import { eventBodyBytesMax, type EventInput } from '@tollgate/contracts/events/events';
import { parseEvent } from '@tollgate/contracts/events/parse-event';
import { opensToKey, type Route } from '@tollgate/contracts/routes/route';
import { routesOf } from '@tollgate/contracts/routes/routes';
import { systemClock, type Clock } from '@tollgate/kernel/clock';
import type { Credentials } from '@tollgate/runtime/auth/credentials';
import { jsonHead } from '@tollgate/runtime/http/answers/send-json';
import { sendProblem } from '@tollgate/runtime/http/answers/send-problem';
import { parseJson } from '@tollgate/runtime/http/requests/parse-json';
import type { ApiKeyPrincipal } from '@tollgate/runtime/http/requests/principal';
import { isPlainJson } from '@tollgate/runtime/http/requests/read-json-body';
import {
  createRequestId,
  isAdmittedStill,
  noteAdmission,
  readmit,
} from '@tollgate/runtime/http/requests/request-context';
import type { Desk, TakenRequest } from '@tollgate/runtime/http/serving/desk';
import type { LineOfPath } from '@tollgate/runtime/http/serving/front';
import type { Messages, PlainExchange } from '@tollgate/runtime/http/serving/plain-connections';
import type { PlainRequest } from '@tollgate/runtime/http/serving/read-plain-request';
import { securityHeaders } from '@tollgate/runtime/http/serving/security-headers';
import type { Line } from '@tollgate/runtime/http/serving/trace-requests';
import type { RateLimiter } from '@tollgate/runtime/limits/rate-limiter';
import type { Admission } from '@tollgate/runtime/limits/sliding-window';
import type { ClockCheck } from '@tollgate/runtime/timing/clock-check';
import type { Config } from '../config.ts';
import { allowanceHeaders, applyAdmission, bucketOf } from './limit-rate.ts';
import type { Outcome } from '../submissions/outcome.ts';
import type { CountOutcome } from '../recording/count-outcomes.ts';
import type { Held } from '../recording/held.ts';
import { heldBytesOf } from '../recording/held-bytes.ts';
import { recordedText, replayedHeader, type RecordBody } from '../recording/record-event-handler.ts';
import type { EventsRequest, RecordEvents } from '../recording/record-events.ts';

export interface RecordLineDeps {
  readonly credentials: Pick<Credentials, 'knownKey' | 'authenticate'>;
  readonly limiter: RateLimiter;
  readonly clockCheck: Pick<ClockCheck, 'isRight'>;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly held: Pick<Held, 'hasRoomFor'>;
  readonly recordEvents: RecordEvents;
  readonly countOutcome: CountOutcome;
  /** The way of all other requests, from the body on. */
  readonly recordBody: RecordBody;
}

const bodyLimits = { maxBytes: eventBodyBytesMax };

/** Undefined where pages of other origins may read answers: the line sets no headers for them. */
export function createRecordLine(
  { CORS_ORIGINS: origins }: Pick<Config, 'CORS_ORIGINS'>,
  deps: RecordLineDeps,
): LineOfPath | undefined {
  if (origins !== '') return undefined;
  const { credentials, limiter, clockCheck, held } = deps;
  const route = recordRoute();

  function open(desk: Desk): Line {
    const ways = { ...deps, desk, route };
    return function takeEvent(exchange, trace) {
      const { request } = exchange;
      if (!isPlain(request)) return false;
      const principal = credentials.knownKey(request.headers.authorization);
      if (principal === undefined || (principal.can !== undefined && !opensToKey(route, principal.can))) return false;
      const bytes = heldBytesOf(request, eventBodyBytesMax);
      if (!clockCheck.isRight() || !held.hasRoomFor(1, bytes)) return false;
      const asked = new LineRequest(ways, { exchange, principal, bytes, trace });
      const admission = limiter.admit(bucketOf(principal));
      if (admission instanceof Promise) void admission.then((late) => asked.admit(late));
      else asked.admit(admission);
      return true;
    };
  }

  return { path: route.path, open };
}

function recordRoute(): Route {
  const route = routesOf('ingest-gateway').find(({ operationId }) => operationId === 'recordEvent');
  if (route === undefined) throw new Error('the contracts have no route to record an event');
  return route;
}

/** Its head says nothing that needs more than a look. */
function isPlain(request: PlainRequest): boolean {
  return isPlainJson(request, bodyLimits) && request.headers['idempotency-key'] === undefined;
}

interface Ways extends RecordLineDeps {
  readonly desk: Desk;
  readonly route: Route;
}

interface Asked {
  readonly exchange: PlainExchange;
  readonly principal: ApiKeyPrincipal;
  /** The memory that it counts for while it is held. */
  readonly bytes: number;
  /** The context of a trace that nobody follows. Undefined: nobody traces. */
  readonly trace: Context | undefined;
}

/** A request on the line. It is the request to record its event, too: one object for all of its way. */
class LineRequest implements TakenRequest, EventsRequest {
  readonly requestId: string;
  readonly route: Route;
  readonly principal: ApiKeyPrincipal;
  readonly startedMs: number;
  readonly consumerId: string;
  readonly bytes: number;
  readonly #ways: Ways;
  readonly #exchange: PlainExchange;
  readonly #admittedAtMs = systemClock.monotonicMs();
  readonly #trace: Context | undefined;
  #admission: Admission | undefined = undefined;
  events: readonly EventInput[] = [];

  constructor(ways: Ways, { exchange, principal, bytes, trace }: Asked) {
    this.requestId = createRequestId(exchange.request);
    this.route = ways.route;
    this.principal = principal;
    this.startedMs = ways.clock.monotonicMs();
    this.consumerId = principal.accountId;
    this.bytes = bytes;
    this.#ways = ways;
    this.#exchange = exchange;
    this.#trace = trace;
  }

  admit(admission: Admission): void {
    this.#admission = admission;
    if (admission.isAdmitted) this.#record();
    else void this.#handOver(() => undefined); // which refuses it
  }

  #record(): void {
    try {
      const parsed = isAdmittedStill(this.#admittedAtMs)
        ? parseEvent(parseJson(this.#exchange.request.body))
        : undefined;
      if (parsed?.ok !== true || parsed.ignoredFields.length > 0) return this.#goOn();
      this.events = [parsed.event];
      this.#ways.recordEvents(this);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Never throws: others wait behind it. */
  onOutcomes([outcome]: readonly Outcome[]): void {
    const [event] = this.events;
    let text: string;
    try {
      if (outcome === undefined || event === undefined) throw new Error('an event without an outcome');
      this.#ways.countOutcome(outcome);
      text = recordedText(event, outcome);
    } catch (error) {
      return this.#fail(error);
    }
    this.#answer(text, outcome.kind === 'duplicate');
  }

  #answer(text: string, isRepeat: boolean): void {
    const head = ['x-request-id', this.requestId, ...securityHeaders];
    if (this.#admission !== undefined) head.push(...allowanceHeaders(this.#admission));
    if (isRepeat) head.push(replayedHeader.name, replayedHeader.value);
    head.push(...jsonHead(text));
    const isSent = this.#exchange.answer(201, head, text);
    this.#ways.desk.noteAnswer(this, { method: this.route.method, status: 201, isSent });
  }

  /** The event is not plain, or the limiter took long. */
  #goOn(): void {
    void this.#handOver(async ({ request, response }) => {
      await readmit(request);
      const body = parseJson(this.#exchange.request.body);
      await this.#ways.recordBody({ request, response, pass: undefined, body });
    });
  }

  #fail(error: unknown): void {
    void this.#handOver(() => {
      throw error;
    });
  }

  #handOver(go: (messages: Messages) => void | Promise<void>): Promise<void> {
    return context.with(this.#trace ?? context.active(), () => this.#goThroughFront(go));
  }

  /** From here on the request is one that the front let in. */
  async #goThroughFront(go: (messages: Messages) => void | Promise<void>): Promise<void> {
    const messages = this.#exchange.toMessages();
    const { request, response } = messages;
    const { desk, credentials } = this.#ways;
    try {
      desk.receive(this, messages);
      noteAdmission(request, () => credentials.authenticate(request.headers.authorization), this.#admittedAtMs);
      if (this.#admission !== undefined) applyAdmission(this.#admission, response);
      await go(messages);
    } catch (error) {
      sendProblem(request, response, error);
    }
  }
}
