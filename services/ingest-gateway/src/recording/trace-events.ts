import { SpanKind, SpanStatusCode, context, trace, type Context, type Link } from '@opentelemetry/api';
import { usageEventsTopic } from '@tollgate/contracts/events/event-record';
import type { EventInput } from '@tollgate/contracts/events/events';
import { contextOf, noteFailure, recordingSpan, tracerOf, traceparentOf } from '@tollgate/telemetry/tracer';
import type { Outcome } from '../submissions/outcome.ts';

/** An event on its way into the log, as its trace sees it. */
export interface TracedEvent {
  /** Goes along with the record. */
  readonly traceparent: string;
  settle(outcome: Outcome): void;
}

/** Undefined: nobody follows the trace of this event. */
export type TraceEvent = (event: EventInput, receivedAtMs: number) => TracedEvent | undefined;

/**
 * An event that is recorded has two spans: the call of the tool itself, at the time and for as long as the event says, by the
 * conventions for generative AI; and its way into the log. They belong to the trace that the event names, else to that of its
 * request. The sampler is not asked again where nobody follows either: that would begin traces which lead to no request.
 * Undefined: nobody traces in this process.
 */
export function createTraceEvent(): TraceEvent | undefined {
  const tracer = tracerOf('recording');
  if (tracer === undefined) return undefined;

  return function traceEvent(event, receivedAtMs) {
    if (event.traceparent === undefined && recordingSpan() === undefined) return undefined;
    const { parent, links } = placeOf(event);
    const options = { kind: SpanKind.PRODUCER, links, attributes: sending };
    const span = tracer.startSpan(`send ${usageEventsTopic}`, options, parent);
    const traceparent = traceparentOf(span);
    if (traceparent === undefined) return undefined;
    return {
      traceparent,
      settle(outcome) {
        span.setAttribute('tollgate.outcome', outcome.kind);
        if ('error' in outcome) noteFailure(span, outcome.error);
        else span.setAttribute('event_id', outcome.eventId);
        span.end();
        if (outcome.kind === 'recorded') showCall(outcome.eventId);
      },
    };

    function showCall(eventId: string): void {
      const startTime = event.timestamp ?? receivedAtMs - (event.duration_ms ?? 0);
      const attributes = { ...callOf(event), event_id: eventId };
      const call = tracer?.startSpan(`execute_tool ${event.tool_id}`, { startTime, links, attributes }, parent);
      if (!event.success) call?.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', '_OTHER');
      call?.end(startTime + (event.duration_ms ?? 0));
    }
  };
}

const sending = {
  'messaging.operation.name': 'send',
  'messaging.operation.type': 'send',
  'messaging.destination.name': usageEventsTopic,
};

function callOf({ tool_id: tool }: EventInput) {
  return { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': tool };
}

/** A batch brings events of many traces: each then has a link to the request that brought it. */
function placeOf({ traceparent }: EventInput): { readonly parent: Context; readonly links: Link[] } {
  const own = contextOf(traceparent);
  if (own === undefined) return { parent: context.active(), links: [] };
  const request = recordingSpan();
  const isBelow = request?.spanContext().traceId === trace.getSpanContext(own)?.traceId;
  return { parent: own, links: request === undefined || isBelow ? [] : [{ context: request.spanContext() }] };
}
