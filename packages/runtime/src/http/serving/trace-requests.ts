import type { IncomingMessage, ServerResponse } from 'node:http';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, context, trace, type Context, type Span } from '@opentelemetry/api';
import { contextOf as contextOfTraceparent, tracerOf } from '@tollgate/telemetry/tracer';
import { contextOf } from '../requests/request-context.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Takes a request whose trace nobody follows, or returns false. It is not called within the context, which is undefined: untraced. */
type TakeUnfollowed = (request: IncomingMessage, response: ServerResponse, context: Context | undefined) => boolean;

/**
 * Answers each request within a span, which belongs to the trace that its `traceparent` names. Where nobody follows the trace, the
 * span says just that, and `take` sees the request first.
 */
export function traceRequests(take: TakeUnfollowed, answer: Answer): Answer {
  const tracer = tracerOf('http');
  if (tracer === undefined) {
    return function answerUntraced(request, response) {
      if (!take(request, response, undefined)) answer(request, response);
    };
  }
  return function answerTraced(request, response) {
    const { method = '', headers } = request;
    const traceparent = headers['traceparent'];
    const parent = contextOfTraceparent(typeof traceparent === 'string' ? traceparent : undefined) ?? ROOT_CONTEXT;
    const attributes = { 'http.request.method': method, 'url.scheme': 'http' };
    const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent);
    const within = trace.setSpan(parent, span);
    if (span.isRecording()) endWith(request, response, span);
    else if (take(request, response, within)) return;
    context.with(within, answer, undefined, request, response);
  };
}

function endWith(request: IncomingMessage, response: ServerResponse, span: Span): void {
  response.once('close', () => {
    const { route, path, requestId } = contextOf(request) ?? {};
    if (route !== undefined)
      span.updateName(`${request.method ?? ''} ${route.path}`).setAttribute('http.route', route.path);
    if (path !== undefined) span.setAttribute('url.path', path);
    if (requestId !== undefined) span.setAttribute('tollgate.request_id', requestId);
    span.setAttribute('http.response.status_code', response.statusCode);
    if (response.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  });
}
